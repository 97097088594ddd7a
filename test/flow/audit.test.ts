import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { canonicalize, sha256Hex } from "../../src/base/index.ts";
import { CHECKS, VerificationReport } from "../../src/schema/index.ts";
import { AGENTS } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";
import { Copy, codesOf } from "../verify/copy.ts";
import {
  auditEnd,
  auditStart,
  by,
  claim,
  finalStatement,
  message,
  review,
  rework,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

const reportOf = (stage: Stage) => {
  const { body } = stage.last("verification_run_completed");
  const bytes = Buffer.concat([...stage.place.artifacts.read(body.report)]);
  return { body, report: VerificationReport.parse(JSON.parse(bytes.toString())) };
};

verifies(
  "002-33",
  "between the start of a verification and its end every mandatory check runs, and the end points to the report",
  async () => {
    const stage = await Stage.at("auditing");
    await stage.refuse(auditEnd("v1"), "ORDER_GUARD");
    await stage.accept(auditStart("v1"));
    await stage.refuse(auditStart("v2"), "ORDER_GUARD");
    await stage.refuse(auditEnd("v2"), "ORDER_GUARD");
    await stage.accept(auditEnd("v1"));
    const { body, report } = reportOf(stage);
    expect(body).toMatchObject({ verification_id: "v1", status: "pass" });
    expect(report.checks).toEqual(CHECKS.map((id) => ({ id, status: "pass" })));
    expect(report.mode).toBe("full");
    const { artifacts, parents, seq } = stage.last("verification_run_completed");
    expect(artifacts.map(({ hash }) => hash)).toEqual([body.report]);
    expect(parents).toEqual([{ seq: seq - 1, kind: "verifies" }]);
  },
);

verifies(
  "002-33",
  "the auditor may say less than the runtime found for itself, never more",
  async () => {
    const stage = await Stage.at("auditing");
    rmSync(stage.place.artifacts.pathOf(sha256Hex("output of e1")));
    await stage.accept(auditStart("v1"));
    await stage.refuse(auditEnd("v1", "pass"), "FINALIZATION_GUARD");
    await stage.refuse(auditEnd("v1", "pass-with-warnings"), "FINALIZATION_GUARD");
    await stage.accept(auditEnd("v1", "fail"));
    const { report } = reportOf(stage);
    expect(report.status).toBe("fail");
    expect(codesOf(report)).toEqual(["ARTIFACT_MISSING", "CLAIM_UNPROVEN"]);
  },
);

test("what an auditor brings along is listed with the report", async () => {
  const stage = await Stage.at("auditing");
  await stage.accept(auditStart("v1"));
  await stage.accept({ ...auditEnd("v1"), artifacts: [{ name: "notes", text: "looked twice" }] });
  const { artifacts, body } = stage.last("verification_run_completed");
  expect(artifacts.map(({ hash }) => hash)).toEqual([sha256Hex("looked twice"), body.report]);
  expect(await stage.verify()).toMatchObject({ status: "pass" });
});

verifies("002-34", "no way leads to completed but through a verification entry", async () => {
  const stage = await Stage.at("auditing");
  expect(stage.state).toBe("auditing");
  await stage.accept(auditStart("v1"));
  expect(stage.state).toBe("auditing");
  expect(await stage.verify()).toMatchObject({
    status: "pass-with-warnings",
    state: "auditing",
    warnings: [{ code: "SESSION_NOT_COMPLETED" }],
  });
  await stage.accept(auditEnd("v1"));
  expect(stage.state).toBe("completed");
  // Without a final statement there is nothing a verification could complete.
  const early = await Stage.at("claiming");
  await early.accept(claim("c1"), auditStart("v1"));
  await early.refuse(auditEnd("v1", "pass"), "FINALIZATION_GUARD");
});

verifies(
  "002-48",
  "after the final statement the second gate is the audit: what it finds keeps the session open",
  async () => {
    const stage = await Stage.at("auditing");
    await stage.refuse(rework(1), "ORDER_GUARD"); // no audit has failed
    await stage.accept(auditStart("v1"), auditEnd("v1", "fail"));
    await stage.refuse(auditStart("v2"), "ORDER_GUARD");
    await stage.refuse(rework(2), "ORDER_GUARD");
    await stage.accept(rework(1));
    expect(stage.state).toBe("executing");
    await stage.refuse(finalStatement("c1"), "STATE_GUARD");
    await stage.accept(...work(2), finalStatement("c1"), auditStart("v2"), auditEnd("v2"));
    expect(stage.state).toBe("completed");
    const bounded = await Stage.at("auditing", { policy: { rework_max: 1 } });
    await bounded.accept(auditStart("v1"), auditEnd("v1", "fail"), rework(1), ...work(2));
    await bounded.accept(finalStatement("c1"), auditStart("v2"), auditEnd("v2", "fail"));
    expect(bounded.state).toBe("failed");
  },
);

verifies("002-51", "a report names the trace, its length and its head, and no clock", async () => {
  const stage = await Stage.at("completed");
  const { body, report } = reportOf(stage);
  const { seq, prev } = stage.last("verification_run_completed");
  expect(report).toMatchObject({ trace: stage.id, entries: seq, head: prev });
  expect(body).toMatchObject({ size: seq, head: prev });
  const final = await stage.verify();
  const last = stage.lines().at(-1) ?? "";
  expect(final).toMatchObject({ trace: stage.id, entries: seq + 1, head: sha256Hex(last) });
  expect(canonicalize(await stage.verify())).toBe(canonicalize(final));
});

verifies("002-51", "a report about another trace, head or verdict is not accepted", async () => {
  const stage = await Stage.at("auditing");
  await stage.accept(auditStart("v1"));
  const other = reportOf(await Stage.at("completed")).report;
  const mine = await stage.verify({ expectOpen: true });
  const lies = [
    [other, "pass"],
    [{ ...mine, entries: mine.entries - 1 }, "pass"],
    [{ ...mine, head: "0".repeat(64) }, "pass"],
    [{ ...mine, status: "fail" }, "pass"],
    [{ ...mine, status: "pass-with-warnings" }, "pass"],
    ["not a report", "pass"],
  ] as const;
  for (const [report, status] of lies) {
    const copy = new Copy(stage);
    const text = typeof report === "string" ? report : `${canonicalize(report)}\n`;
    const size = copy.lines.length;
    const head = sha256Hex(copy.lines.at(-1) ?? "");
    await copy.forge({
      agent: "otto",
      role: "auditor",
      type: "verification_run_completed",
      body: { verification_id: "v1", status, report: sha256Hex(text), size, head },
      texts: [text],
    });
    expect(codesOf(await (await copy.sign()).verify())).toEqual(["FINALIZATION_VIOLATION"]);
  }
  const text = `${canonicalize(mine)}\n`;
  const elsewhere = new Copy(stage);
  await elsewhere.forge({
    agent: "otto",
    role: "auditor",
    type: "verification_run_completed",
    body: {
      verification_id: "v1",
      status: "pass",
      report: sha256Hex(text),
      size: elsewhere.lines.length,
      head: "0".repeat(64),
    },
    texts: [text],
  });
  expect(codesOf(await (await elsewhere.sign()).verify())).toEqual(["FINALIZATION_VIOLATION"]);
});

test("who proposed, executed or claimed may not audit, nor, outside solo, who reviewed", async () => {
  const agents = AGENTS.map(({ agent, roles }) => ({ agent, roles: [...roles, "auditor"] }));
  const solo = await Stage.at("auditing", { agents });
  for (const agent of ["ada", "eli"])
    await solo.refuse(by(agent, "auditor", auditStart("v1")), "INDEPENDENCE_GUARD");
  await solo.accept(by("cleo", "auditor", auditStart("v1")));
  await solo.refuse(by("mara", "auditor", auditEnd("v1")), "ROLE_GUARD"); // not its own run
  const team = await Stage.at("auditing", { agents, profile: "team" });
  await team.refuse(by("cleo", "auditor", auditStart("v1")), "INDEPENDENCE_GUARD");
  await team.accept(auditStart("v1"));
});

test("who wrote a proposal may not approve it", async () => {
  const agents = AGENTS.map(({ agent, roles }) => ({
    agent,
    roles: agent === "ada" ? ["planner", "critic"] : roles,
  }));
  const stage = await Stage.at("reviewing", { agents });
  await stage.refuse(by("ada", "critic", review("p1")), "INDEPENDENCE_GUARD");
  await stage.accept(review("p1"));
});

test("an audit covers what was recorded beside it while it ran", async () => {
  const stage = await Stage.at("auditing");
  await stage.accept(auditStart("v1"), message("still here"), auditEnd("v1"));
  const { body, report } = reportOf(stage);
  expect(body.size).toBe(stage.entries().length - 1);
  expect(report.entries).toBe(body.size);
});
