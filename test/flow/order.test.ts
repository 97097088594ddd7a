import { expect } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { request } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";
import { Copy, codesOf } from "../verify/copy.ts";
import {
  auditEnd,
  auditStart,
  by,
  challenge,
  claim,
  completed,
  evidence,
  failed,
  finalStatement,
  intent,
  judgement,
  message,
  proposal,
  resolution,
  review,
  started,
  WAYS,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

const CHAINED_TYPES = [
  "proposal_created",
  "tool_intent_signed",
  "claim_issued",
  "claim_challenged",
  "final_statement_signed",
  "verification_run_completed",
] as const;

verifies(
  ["002-15", "002-52"],
  "whatever is asked, what was recorded stays as it was and the next entry follows the last",
  async () => {
    const stage = await Stage.at("planning");
    let before = stage.lines();
    for (const next of [...WAYS.completed({}).slice(1), message("late"), proposal("p1")]) {
      const { recorded } = await stage.recorder.record([next], { artifactRoots: [] });
      const after = stage.lines();
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after).toHaveLength(before.length + recorded);
      before = after;
    }
    expect(stage.entries().map(({ seq }) => seq)).toEqual(before.map((_, index) => index));
    const { reordered, shortened } = await disordered(stage);
    expect(reordered).toContain("CHAIN_BREAK");
    expect(shortened).toContain("CHAIN_BREAK");
  },
);

/** What a verifier says to two entries that changed places, and to one that is gone. */
async function disordered(stage: Stage) {
  const swapped = new Copy(stage);
  const [a = "", b = ""] = swapped.lines.slice(3, 5);
  swapped.lines.splice(3, 2, b, a);
  const cut = new Copy(stage);
  cut.lines.splice(3, 1);
  return {
    reordered: codesOf(await (await swapped.sign()).verify()),
    shortened: codesOf(await (await cut.sign()).verify()),
  };
}

verifies("002-16", "each entry carries the hash of the line right before it", async () => {
  const stage = await Stage.at("completed");
  const lines = stage.lines();
  for (const [seq, { prev }] of stage.entries().entries())
    expect(prev).toBe(seq === 0 ? "0".repeat(64) : sha256Hex(lines[seq - 1] ?? ""));
  for (let seq = 0; seq < lines.length; seq += 1) {
    const copy = new Copy(stage);
    // Keys differ from run to run, and so does every hash: only one made from this one surely differs.
    const { prev } = copy.entry(seq);
    copy.edit(seq, `"prev":"${prev}"`, `"prev":"${sha256Hex(prev)}"`);
    const report = await (await copy.sign()).verify();
    expect(report.failures).toContainEqual(expect.objectContaining({ code: "CHAIN_BREAK", seq }));
  }
});

verifies("002-17", "no execution is recorded ahead of its signed intent", async () => {
  const stage = await Stage.at("executing");
  await stage.refuse(started("e1", "i1"), "ORDER_GUARD");
  await stage.refuse(completed("e1"), "ORDER_GUARD");
  await stage.refuse(failed("e1"), "ORDER_GUARD");
  await stage.accept(intent("i1"));
  await stage.refuse(completed("e1"), "ORDER_GUARD");
  await stage.accept(started("e1", "i1"));
  const copy = new Copy(stage);
  const eli = { agent: "eli", role: "executor" } as const;
  const body = { execution_id: "e9", intent_id: "i9" };
  await copy.forge({ ...eli, type: "tool_execution_started", body });
  expect(codesOf(await (await copy.sign()).verify())).toEqual(["ORDER_VIOLATION"]);
});

verifies("002-18", "a claim waits for the end of what it speaks of, good or bad", async () => {
  const stage = await Stage.at("executing");
  await stage.accept(intent("i1"), started("e1", "i1"));
  await stage.refuse(claim("c1", { evidence: ["in-i1"] }), "STATE_GUARD");
  await stage.accept(failed("e1", "accept"));
  await stage.refuse(claim("c1", { evidence: ["in-i1"], execution_ids: ["e2"] }), "ORDER_GUARD");
  await stage.accept(claim("c1", { evidence: ["in-i1"], execution_ids: ["e1"] }));
  const copy = new Copy(stage);
  const { body } = stage.last("claim_issued");
  await copy.forge({
    agent: "eli",
    role: "executor",
    type: "claim_issued",
    body: { ...body, claim_id: "c2", execution_ids: ["e9"] },
  });
  expect(codesOf(await (await copy.sign()).verify())).toEqual(["ORDER_VIOLATION"]);
});

verifies("002-19", "after the final statement no agent at work adds to the record", async () => {
  const stage = await Stage.at("auditing");
  const late = [
    proposal("p9", { revises: "p1" }),
    review("p1"),
    ...work(9),
    failed("e1"),
    judgement("i1", "blocked"),
    evidence("late"),
    claim("c9"),
    challenge("x1", "c1"),
    resolution("x1"),
    finalStatement("c1"),
    by("ada", "planner", finalStatement("c1")),
  ];
  for (const request of late) await stage.refuse(request, "STATE_GUARD");
  await stage.accept(auditStart("v1"));
  for (const request of late) await stage.refuse(request, "STATE_GUARD");
  await stage.accept(auditEnd("v1"));
  const types = stage.entries().map(({ type }) => type);
  expect(types.slice(types.indexOf("final_statement_signed") + 1)).toEqual([
    "verification_run_started",
    "verification_run_completed",
  ]);
  const copy = new Copy(await Stage.at("auditing"));
  await copy.forge({
    agent: "cleo",
    role: "critic",
    type: "claim_challenged",
    body: { challenge_id: "x1", claim_id: "c1", reason: "late" },
  });
  expect(codesOf(await (await copy.sign()).verify())).toEqual(["STATE_VIOLATION"]);
});

verifies(
  "002-19",
  "after the final statement nobody asks or answers any more; what is decided is still recorded",
  async () => {
    const asked = (agent: string, role: string, id: string) =>
      request(agent, role, "question_asked", { question_id: id, text: "t", default: "d" });
    const decided = { decision_id: "d", context: "c", options: ["o"], choice: "o" };
    const stage = await Stage.at("claiming");
    await stage.accept(claim("c1"), asked("eli", "executor", "q1"), finalStatement("c1"));
    const answered = { question_id: "q1", answer: "a" };
    const late = [
      asked("eli", "executor", "q2"),
      asked("otto", "auditor", "q2"),
      request("mara", "operator", "question_answered", answered),
    ];
    for (const request of late) await stage.refuse(request, "STATE_GUARD");
    await stage.accept(auditStart("v1"));
    for (const request of late) await stage.refuse(request, "STATE_GUARD");
    await stage.accept(request("ada", "planner", "decision_recorded", decided));
  },
);

verifies(
  "002-20",
  "the six types that must be signed are not believed without their signature",
  async () => {
    const stage = await Stage.at("claiming");
    await stage.accept(
      claim("c1"),
      challenge("x1", "c1"),
      resolution("x1"),
      finalStatement("c1"),
      auditStart("v1"),
      auditEnd("v1"),
    );
    expect((await stage.verify()).status).toBe("pass");
    for (const type of CHAINED_TYPES) {
      const { seq, sig } = stage.last(type);
      const stripped = new Copy(stage);
      stripped.edit(seq, `,"sig":"${sig}"`, "");
      expect(await (await stripped.sign()).verify()).toMatchObject({
        status: "fail",
        failures: expect.arrayContaining([
          expect.objectContaining({ code: "SIG_MISSING", seq, severity: "critical" }),
        ]),
      });
      const forged = new Copy(stage);
      forged.edit(seq, sig, Buffer.alloc(64, 7).toString("base64"));
      expect(await (await forged.sign()).verify()).toMatchObject({
        status: "fail",
        failures: expect.arrayContaining([
          expect.objectContaining({ code: "SIG_INVALID", seq, severity: "critical" }),
        ]),
      });
    }
  },
);

verifies(
  "002-20",
  "the signature covers everything that an entry says, not only its frame",
  async () => {
    const stage = await Stage.at("completed");
    for (const { seq, body, type } of stage.entries()) {
      const value = Object.values(body).find((one) => typeof one === "string") ?? "solo";
      const copy = new Copy(stage);
      const other = value.endsWith("0") ? "1" : "0";
      copy.edit(seq, JSON.stringify(value), JSON.stringify(value.slice(0, -1) + other));
      const report = await (await copy.sign()).verify();
      expect([type, codesOf(report)]).toEqual([
        type,
        expect.arrayContaining([expect.stringMatching(/^(SIG_INVALID|SCHEMA_INVALID)$/)]),
      ]);
    }
  },
);
