import { expect, test } from "vitest";
import { canonicalize } from "../../src/base/index.ts";
import type { FailureCode, Role } from "../../src/schema/index.ts";
import { verifyTrace } from "../../src/verify/index.ts";
import { Forger, newSigner } from "./forger.ts";

const AGENTS: Record<string, Role[]> = {
  ada: ["planner"],
  eli: ["executor"],
  cleo: ["critic"],
  otto: ["auditor"],
  mara: ["operator"],
  max: ["planner", "executor", "critic", "auditor"],
};

const PROPOSAL = {
  proposal_id: "p1",
  units: [
    { objective: "Do it", assumptions: [], required_tools: ["edit"], expected_evidence: ["diff"] },
  ],
};
const review = (proposal_status: string) => ({
  ...{ proposal_id: "p1", proposal_status, risk_assessment: "Low", rationale: "Fine." },
});
const CLAIM = { claim_id: "c1", claim_text: "It is done", confidence: 90, execution_ids: ["e1"] };
const FINAL = { consolidated_claim_ids: ["c1"], final_verdict_text: "Done." };

/** A session that has come as far as asked, by honest means. */
function cameTo(
  stage: "opened" | "proposed" | "approved" | "intended" | "started" | "done" | "claimed" | "final",
  by = { planner: "ada", executor: "eli" },
): Forger {
  const forger = new Forger(AGENTS);
  const input = forger.store("edit src/a.ts");
  const output = forger.store("1 file changed");
  const { planner, executor } = by;
  const intent = { intent_id: "i1", proposal_id: "p1", tool_name: "edit", risk_class: "low" };
  const steps: [typeof stage, () => unknown][] = [
    ["opened", () => forger.say("mara", "operator", "message_posted", { text: "Go." })],
    ["proposed", () => forger.say(planner, "planner", "proposal_created", PROPOSAL)],
    ["approved", () => forger.say("cleo", "critic", "proposal_reviewed", review("approved"))],
    [
      "intended",
      () =>
        forger.say(
          ...([executor, "executor", "tool_intent_signed"] as const),
          { ...intent, normalized_input_hash: input, justification: "It is needed" },
          { artifacts: [input] },
        ),
    ],
    [
      "started",
      () =>
        forger.say(executor, "executor", "tool_execution_started", {
          ...{ execution_id: "e1", intent_id: "i1" },
        }),
    ],
    [
      "done",
      () =>
        forger.say(
          ...([executor, "executor", "tool_execution_completed"] as const),
          { execution_id: "e1", exit_status: 0 },
          { artifacts: [output] },
        ),
    ],
    [
      "claimed",
      () => forger.say(executor, "executor", "claim_issued", { ...CLAIM, evidence: [output] }),
    ],
    ["final", () => forger.say(executor, "executor", "final_statement_signed", FINAL)],
  ];
  for (const [name, step] of steps) {
    step();
    if (name === stage) break;
  }
  return forger;
}

async function audited(forger: Forger, status: string, report?: object): Promise<number> {
  forger.say("otto", "auditor", "verification_run_started", { verification_id: "v1" });
  const hash = forger.store(`${canonicalize(report ?? (await forger.report()))}\n`);
  const { size, head } = forger;
  const body = { verification_id: "v1", status, report: hash, size, head };
  return forger.say("otto", "auditor", "verification_run_completed", body, { artifacts: [hash] });
}

/** The forgery is found, under the right name, at the right place, and everything before it is believed. */
async function expectFound(forger: Forger, code: FailureCode, seq: number): Promise<void> {
  const { status, failures, lastTrustedSeq } = await forger.verify();
  expect(failures.map((failure) => [failure.code, failure.seq])).toContainEqual([code, seq]);
  expect([status, failures[0]?.seq, lastTrustedSeq]).toEqual(["fail", seq, seq - 1]);
}

test("a session that keeps the rules passes, so that it is the forgery that fails", async () => {
  const forger = cameTo("final");
  await audited(forger, "pass");
  expect(await forger.verify()).toMatchObject({ status: "pass", state: "completed", failures: [] });
});

test("an approval by somebody who is no critic is found", async () => {
  for (const role of ["critic", "planner"] as const) {
    const forger = cameTo("proposed");
    const seq = forger.say("ada", role, "proposal_reviewed", review("approved"));
    await expectFound(forger, "ROLE_POLICY_VIOLATION", seq);
  }
});

test("an approval of one's own proposal is found", async () => {
  const forger = cameTo("proposed", { planner: "max", executor: "eli" });
  const seq = forger.say("max", "critic", "proposal_reviewed", review("approved"));
  await expectFound(forger, "ROLE_POLICY_VIOLATION", seq);
});

test("an approval of one's own intent is found", async () => {
  const forger = cameTo("intended", { planner: "ada", executor: "max" });
  const body = { intent_id: "i1", intent_status: "approved", rationale: "Mine." };
  await expectFound(
    forger,
    "ROLE_POLICY_VIOLATION",
    forger.say("max", "critic", "intent_reviewed", body),
  );
});

test("an audit by somebody who did the work is found", async () => {
  const forger = cameTo("final", { planner: "ada", executor: "max" });
  const seq = forger.say("max", "auditor", "verification_run_started", { verification_id: "v1" });
  await expectFound(forger, "ROLE_POLICY_VIOLATION", seq);
});

test("work on a rejected proposal is found", async () => {
  const forger = cameTo("proposed");
  forger.say("cleo", "critic", "proposal_reviewed", review("rejected"));
  const input = forger.store("edit anyway");
  const seq = forger.say(
    ...(["eli", "executor", "tool_intent_signed"] as const),
    {
      ...{ intent_id: "i1", proposal_id: "p1", tool_name: "edit", risk_class: "low" },
      ...{ normalized_input_hash: input, justification: "Anyway" },
    },
    { artifacts: [input] },
  );
  await expectFound(forger, "STATE_VIOLATION", seq);
});

test("an entry dated back under a revoked key is found", async () => {
  const forger = cameTo("approved");
  const { key } = forger.signerOf("eli");
  forger.say("mara", "operator", "key_revoked", { agent: "eli", key, reason: "lost" });
  const at = new Date(Date.UTC(2026, 0, 1)).toISOString();
  const seq = forger.say("eli", "executor", "message_posted", { text: "It was me" }, { at });
  await expectFound(forger, "KEY_NOT_ACTIVE", seq);
});

test("entries under a key that turned out to be compromised are found", async () => {
  const forger = cameTo("claimed");
  const { key } = forger.signerOf("eli");
  const body = { agent: "eli", key, reason: "stolen", compromised_from: 4 };
  forger.say("mara", "operator", "key_revoked", body);
  await expectFound(forger, "KEY_COMPROMISED", 4);
});

test("an entry in one agent's name under another's key is found", async () => {
  const forger = cameTo("opened");
  const signer = forger.signerOf("cleo");
  const seq = forger.say("eli", "executor", "message_posted", { text: "Me" }, { signer });
  await expectFound(forger, "KEY_NOT_ACTIVE", seq);
});

test("an entry under a key that nobody enrolled is found", async () => {
  const forger = cameTo("opened");
  const liberties = { signer: newSigner() };
  const seq = forger.say("eli", "executor", "message_posted", { text: "Me" }, liberties);
  await expectFound(forger, "KEY_UNKNOWN", seq);
});

test("an execution without an intent is found", async () => {
  const forger = cameTo("approved");
  const body = { execution_id: "e1", intent_id: "i1" };
  await expectFound(
    forger,
    "ORDER_VIOLATION",
    forger.say("eli", "executor", "tool_execution_started", body),
  );
});

test("the end of an execution that never started is found", async () => {
  const forger = cameTo("intended");
  const output = forger.store("made up");
  const seq = forger.say(
    ...(["eli", "executor", "tool_execution_completed"] as const),
    { execution_id: "e1", exit_status: 0 },
    { artifacts: [output] },
  );
  await expectFound(forger, "ORDER_VIOLATION", seq);
});

test("a claim before the execution it rests on has ended is found", async () => {
  const forger = cameTo("started");
  const evidence = [forger.store("1 file changed")];
  const seq = forger.say("eli", "executor", "claim_issued", { ...CLAIM, evidence });
  await expectFound(forger, "STATE_VIOLATION", seq);
});

test("a claim about an execution that never was is found", async () => {
  const forger = cameTo("done");
  const body = { ...CLAIM, execution_ids: ["e9"], evidence: [forger.store("1 file changed")] };
  await expectFound(forger, "ORDER_VIOLATION", forger.say("eli", "executor", "claim_issued", body));
});

test("a second final statement is found", async () => {
  const forger = cameTo("final");
  const seq = forger.say("eli", "executor", "final_statement_signed", FINAL);
  await expectFound(forger, "STATE_VIOLATION", seq);
});

test("a verification that passes without a final statement is found", async () => {
  const forger = cameTo("claimed");
  await expectFound(forger, "FINALIZATION_VIOLATION", await audited(forger, "pass"));
});

test("a verification that claims more than its report says is found", async () => {
  const forger = cameTo("final");
  const honest = await forger.report();
  const failed = { ...honest, entries: honest.entries + 1, status: "fail" as const };
  await expectFound(forger, "FINALIZATION_VIOLATION", await audited(forger, "pass", failed));
});

test("a verification with a report about something else is found", async () => {
  for (const other of [{ trace: "trace_01ARZ3NDEKTSV4RRFFQ69G5FAW" }, { head: "0".repeat(64) }]) {
    const forger = cameTo("final");
    forger.say("mara", "operator", "message_posted", { text: "Now." });
    const report = { ...(await forger.report()), ...other };
    await expectFound(forger, "FINALIZATION_VIOLATION", await audited(forger, "pass", report));
  }
});

test("a verification whose report is no report is found", async () => {
  const forger = cameTo("final");
  const seq = await audited(forger, "pass", { status: "pass" });
  await expectFound(forger, "FINALIZATION_VIOLATION", seq);
});

test("an entry after the session was completed is found", async () => {
  const forger = cameTo("final");
  await audited(forger, "pass");
  const seq = forger.say("mara", "operator", "message_posted", { text: "One more thing" });
  await expectFound(forger, "STATE_VIOLATION", seq);
});

test("a second opening of the session is found", async () => {
  const forger = cameTo("opened");
  const opening = new Forger({ ...AGENTS, eve: ["critic"] });
  const body = JSON.parse((await firstLine(opening)) ?? "{}") as { body: object };
  const seq = forger.say("ada", "planner", "session_initialized", body.body);
  const { status, failures, lastTrustedSeq } = await forger.verify();
  expect(failures.map(({ code }) => code)).toContain("STATE_VIOLATION");
  expect([status, lastTrustedSeq]).toEqual(["fail", seq - 1]);
});

test("links that do not lead to what the entry is about are found", async () => {
  const forger = cameTo("proposed");
  const parents = [{ seq: 0, kind: "reviews" as const }];
  const seq = forger.say("cleo", "critic", "proposal_reviewed", review("approved"), { parents });
  await expectFound(forger, "ORDER_VIOLATION", seq);
});

test("a checkpoint that another key than the runtime's signed is found", async () => {
  const { status, failures } = await cameTo("claimed").verify(newSigner());
  expect([status, failures.map(({ code }) => code)]).toEqual(["fail", ["CHECKPOINT_INVALID"]]);
});

test("a gap that somebody without the right recorded is found", async () => {
  const forger = cameTo("opened");
  const body = { reason: "never mind", lost_size: 9, lost_checkpoint: "none" };
  const seq = forger.say("eli", "executor", "gap_recorded", body);
  await expectFound(forger, "ROLE_POLICY_VIOLATION", seq);
});

test("an agent that hands the runtime's place to a key of its own is found under any rules", async () => {
  for (const profile of ["strict", "default", "lenient"] as const) {
    const forger = cameTo("claimed");
    const [own, { key }] = [newSigner(), forger.signerOf("sworn")];
    const body = { agent: "sworn", old_key: key, new_key: own.key, public: own.public };
    forger.say("eli", "executor", "key_rotated", body);
    const options = { profile, mode: "full", threads: 0 } as const;
    const { status } = await verifyTrace(forger.source(own), options);
    expect([profile, status]).toEqual([profile, "fail"]);
  }
});

async function firstLine(forger: Forger): Promise<string | undefined> {
  for await (const piece of forger.source().lines()) return piece.toString().split("\n")[0];
  return undefined;
}
