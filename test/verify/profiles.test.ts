import { expect, test } from "vitest";
import { auditEnd, auditStart, challenge, claim, message } from "../flow/requests.ts";
import { Stage } from "../flow/stage.ts";
import { Copy, codesOf } from "./copy.ts";

const PROFILES = ["strict", "default", "lenient"] as const;

test.each([
  ["strict", "fail"],
  ["default", "pass-with-warnings"],
  ["lenient", "pass-with-warnings"],
] as const)("under %s an open dispute gives %s", async (profile, status) => {
  const stage = await Stage.at("claiming");
  await stage.accept(claim("c1"), challenge("x1", "c1"));
  const report = await stage.verify({ profile });
  expect(report).toMatchObject({ status, profile });
  const listed = profile === "strict" ? report.failures : report.warnings;
  expect(listed).toContainEqual(
    expect.objectContaining({
      code: "DISPUTE_OPEN",
      severity: profile === "strict" ? "high" : "warning",
    }),
  );
  const check = report.checks.find(({ id }) => id === "CHK_CLAIM_EVIDENCE_SUFFICIENCY");
  expect(check?.status).toBe(profile === "strict" ? "fail" : "warn");
});

/** Entries that are signed and chained as they should be, and break one rule each. */
const VIOLATIONS = [
  ["ROLE_POLICY_VIOLATION", { agent: "cleo", role: "critic", type: "claim_issued", body: "claim" }],
  [
    "STATE_VIOLATION",
    {
      agent: "ada",
      role: "planner",
      type: "session_initialized",
      body: "opening",
    },
  ],
  [
    "ORDER_VIOLATION",
    {
      agent: "cleo",
      role: "critic",
      type: "claim_challenged",
      body: { challenge_id: "x1", claim_id: "c9", reason: "r" },
    },
  ],
  [
    "FINALIZATION_VIOLATION",
    {
      agent: "eli",
      role: "executor",
      type: "final_statement_signed",
      body: { consolidated_claim_ids: ["c9"], final_verdict_text: "t" },
    },
  ],
  ["CLAIM_UNPROVEN", { agent: "eli", role: "executor", type: "claim_issued", body: "thin" }],
] as const;

test.each(VIOLATIONS)(
  "%s fails under strict and default, and warns under lenient",
  async (code, forgery) => {
    const stage = await Stage.at("claiming", { policy: { evidence_min: 2 } });
    await stage.accept(claim("c1", { evidence: ["out-e1", "in-i1"] }));
    const { body } = stage.last("claim_issued");
    const bodies = {
      claim: { ...body, claim_id: "c2" },
      thin: { ...body, claim_id: "c2", evidence: body.evidence.slice(1) },
      opening: stage.last("session_initialized").body,
    };
    const copy = new Copy(stage);
    const given = typeof forgery.body === "string" ? bodies[forgery.body] : forgery.body;
    await copy.forge({ ...forgery, body: given });
    await copy.sign();
    for (const profile of PROFILES) {
      const report = await copy.verify({ profile });
      const listed = profile === "lenient" ? report.warnings : report.failures;
      expect(listed.map((one) => one.code)).toContain(code);
      expect(report.status).toBe(profile === "lenient" ? "pass-with-warnings" : "fail");
    }
  },
);

test("lenient only warns of a rule that was broken by an entry with artifacts, too", async () => {
  const copy = new Copy(await Stage.at("claiming"));
  await copy.forge({
    agent: "cleo",
    role: "critic",
    type: "artifact_recorded",
    body: { description: "not the critic's to record" },
    texts: ["what the critic recorded"],
  });
  await copy.sign();
  expect(codesOf(await copy.verify())).toEqual(["ROLE_POLICY_VIOLATION"]);
  expect(await copy.verify({ profile: "lenient" })).toMatchObject({
    status: "pass-with-warnings",
    failures: [],
  });
});

test("no profile forgives a broken record", async () => {
  const stage = await Stage.at("completed");
  const broken: [string, (copy: Copy) => void][] = [
    ["SIG_INVALID", (copy) => copy.edit(1, "Count attempts", "Count nothing")],
    ["CHAIN_BREAK", (copy) => copy.lines.splice(2, 1)],
    ["TAIL_MISSING", (copy) => copy.lines.pop()],
    ["CHECKPOINT_INVALID", (copy) => Object.assign(copy, { checkpoint: "x" })],
    ["ARTIFACT_MISSING", (copy) => copy.artifacts.clear()],
    ["HASH_MISMATCH", (copy) => copy.edit(3, '{"actor"', '{ "actor"')],
    ["SCHEMA_INVALID", (copy) => copy.edit(3, '"v":1}', '"v":2}')],
  ];
  for (const profile of PROFILES) {
    for (const [code, breaking] of broken) {
      const copy = new Copy(stage);
      breaking(copy);
      const report = await copy.verify({ profile });
      expect([profile, code, report.status]).toEqual([profile, code, "fail"]);
      expect(codesOf(report)).toContain(code);
    }
  }
});

test("a rule that was broken has no effect: a forged approval approves nothing", async () => {
  const stage = await Stage.at("reviewing");
  const copy = new Copy(stage);
  const review = { proposal_id: "p1", risk_assessment: "r", rationale: "r" };
  await copy.forge({
    agent: "eli",
    role: "executor",
    type: "proposal_reviewed",
    body: { ...review, proposal_status: "approved" },
  });
  const report = await (await copy.sign()).verify();
  expect(report).toMatchObject({ status: "fail", state: "reviewing" });
});

test("an unfinished session passes with a warning, unless it is expected to be open", async () => {
  const stage = await Stage.at("claiming");
  expect(await stage.verify()).toMatchObject({
    status: "pass-with-warnings",
    warnings: [{ code: "SESSION_NOT_COMPLETED", seq: null, severity: "warning" }],
  });
  expect(await stage.verify({ expectOpen: true })).toMatchObject({ status: "pass", warnings: [] });
  const done = await Stage.at("completed");
  expect(await done.verify({ expectOpen: true })).toMatchObject({ status: "pass" });
});

test("expecting an open session forgives nothing else", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(claim("c1", { evidence: ["0".repeat(64)] }), auditStart("v1"));
  await stage.accept(auditEnd("v1", "fail"));
  expect(codesOf(await stage.verify({ expectOpen: true }))).toEqual(["CLAIM_UNPROVEN"]);
});

test("links to earlier entries are recomputed, and wrong ones are found", async () => {
  const stage = await Stage.at("reviewing");
  const copy = new Copy(stage);
  const body = {
    proposal_id: "p1",
    proposal_status: "approved",
    risk_assessment: "r",
    rationale: "r",
  };
  await copy.forge({
    agent: "cleo",
    role: "critic",
    type: "proposal_reviewed",
    body,
    parents: [{ seq: 0, kind: "reviews" }],
  });
  expect(codesOf(await (await copy.sign()).verify())).toEqual(["ORDER_VIOLATION"]);
});

test("a logical time that does not rise is a warning", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("one"));
  const copy = new Copy(stage);
  const { hlc } = copy.entry(0);
  await copy.forge({
    agent: "mara",
    role: "operator",
    type: "message_posted",
    body: { text: "two" },
    hlc,
  });
  const report = await (await copy.sign()).verify({ expectOpen: true });
  expect(report).toMatchObject({
    status: "pass-with-warnings",
    warnings: [{ code: "CLOCK_WENT_BACK", seq: 2 }],
  });
});
