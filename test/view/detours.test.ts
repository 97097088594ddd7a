import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import type { Role } from "../../src/schema/index.ts";
import { claim, intent, proposal, review, worldIn } from "./way.ts";
import { enrolled, initialization, World } from "./world.ts";

const EXECUTOR = { role: "executor" } as const;
const CRITIC = { role: "critic" } as const;
const PLANNER = { role: "planner" } as const;

/** The usual agents with further roles, and Zoe, who may do everything that agents do. */
const withRoles = (more: Readonly<Record<string, Role[]>>) => ({
  agents: [
    ...initialization().agents.map((one) => ({
      ...one,
      roles: [...one.roles, ...(more[one.agent] ?? [])],
    })),
    enrolled("zoe", ["planner", "executor", "critic", "auditor"]),
  ],
});
const ZOE = { agent: "zoe" } as const;

const judged = (id: string, status: string) => ({
  intent_id: id,
  intent_status: status,
  rationale: "r",
});
const begun = (execution: string, id: string) => ({ execution_id: execution, intent_id: id });
const failing = (execution: string, handling = "accept") => ({
  execution_id: execution,
  failure: "f",
  handling,
});
const doubt = (id: string, about: string) => ({ challenge_id: id, claim_id: about, reason: "r" });
const settled = (id: string, resolution: string) => ({
  challenge_id: id,
  resolution,
  rationale: "r",
});

/** p1 is approved and lists "edit" and "Edit "; the input is stored; nothing was signed yet. */
function atWork(more: object = {}): World {
  const world = World.begun(more);
  const unit = { objective: "o", assumptions: [], expected_evidence: ["e"] };
  const units = [{ ...unit, required_tools: ["edit", "Edit ", "deploy"] }];
  world.take("proposal_created", proposal("p1", { units }), PLANNER);
  world.take("proposal_reviewed", review("p1", "approved"), CRITIC);
  sign(world, "i0", { tool_name: "deploy" });
  world.take("tool_execution_started", begun("e0", "i0"), EXECUTOR);
  return world;
}
const sign = (world: World, id: string, more: object = {}) =>
  world.take("tool_intent_signed", intent(id, more), { ...EXECUTOR, texts: ["input"] });
const askStart = (world: World, id: string) =>
  world.ask("tool_execution_started", begun(`e-${id}`, id), EXECUTOR)?.rule;
const run = (world: World, id: string, ends: "completed" | "failed") => {
  sign(world, id);
  world.take("tool_execution_started", begun(`e-${id}`, id), EXECUTOR);
  finish(world, id, ends);
};
const finish = (world: World, id: string, ends: "completed" | "failed") =>
  ends === "failed"
    ? world.take("tool_execution_failed", failing(`e-${id}`), EXECUTOR)
    : world.take(
        "tool_execution_completed",
        { execution_id: `e-${id}`, exit_status: 0 },
        { ...EXECUTOR, texts: [`output of ${id}`] },
      );

test("blocked work under a new name needs the critic's approval, however low its risk", () => {
  const world = atWork();
  sign(world, "i1");
  sign(world, "i2");
  expect(askStart(world, "i2")).toBeUndefined();
  world.take("intent_reviewed", judged("i1", "blocked"), CRITIC);
  sign(world, "i3", { tool_name: "Edit " });
  sign(world, "i4", { normalized_input_hash: sha256Hex("something else") });
  sign(world, "i5", { tool_name: "deploy" });
  for (const id of ["i2", "i3"]) expect([id, askStart(world, id)]).toEqual([id, "ACTION_GUARD"]);
  // Another input is other work (its bytes are not stored yet), and so is another tool.
  expect(askStart(world, "i4")).toBe("EVIDENCE_GUARD");
  expect(askStart(world, "i5")).toBeUndefined();
  world.take("intent_reviewed", judged("i3", "approved"), CRITIC);
  expect(askStart(world, "i3")).toBeUndefined();
  // The approval was the critic's newer word on this work.
  expect(askStart(world, "i2")).toBeUndefined();
});

test("who wrote a proposal may not review what revises it or falls back from it", () => {
  const world = World.begun(withRoles({ ada: ["critic"], mara: ["planner"] }));
  const ask = (id: string, agent: string) =>
    world.ask("proposal_reviewed", review(id, "approved"), { ...CRITIC, agent })?.rule;
  world.take("proposal_created", proposal("p0"), PLANNER);
  world.take("proposal_created", proposal("p2", { revises: "p0" }), { ...PLANNER, ...ZOE });
  world.take("proposal_created", proposal("p1", { revises: "p2" }), { ...PLANNER, agent: "mara" });
  for (const agent of ["ada", "zoe"]) expect(ask("p1", agent)).toBe("INDEPENDENCE_GUARD");
  world.take("proposal_reviewed", review("p1", "approved"), CRITIC);
  run(world, "i1", "failed");
  const fallback = proposal("p3", { fallback_for: "e-i1" });
  world.take("proposal_created", fallback, { ...PLANNER, agent: "mara" });
  for (const agent of ["ada", "zoe"]) expect(ask("p3", agent)).toBe("INDEPENDENCE_GUARD");
  expect(ask("p3", "cleo")).toBeUndefined();
});

test("who signed an intent may not review what retries it, however often", () => {
  const world = worldIn("executing", withRoles({ eli: ["critic"], mara: ["executor"] }));
  const ask = (id: string, agent: string) =>
    world.ask("intent_reviewed", judged(id, "approved"), { ...CRITIC, agent })?.rule;
  world.take("tool_execution_failed", failing("e2", "retry"), EXECUTOR);
  const other = { normalized_input_hash: sha256Hex("output") };
  const asZoe = { ...EXECUTOR, ...ZOE, texts: ["output"] };
  world.take("tool_intent_signed", intent("i3", { retry_of: "i2", ...other }), asZoe);
  expect(ask("i3", "eli")).toBe("INDEPENDENCE_GUARD");
  world.take("intent_reviewed", judged("i3", "blocked"), CRITIC);
  const last = intent("i4", { retry_of: "i3", ...other });
  world.take("tool_intent_signed", last, { ...EXECUTOR, agent: "mara" });
  for (const agent of ["eli", "zoe"]) expect(ask("i4", agent)).toBe("INDEPENDENCE_GUARD");
  expect(ask("i4", "cleo")).toBeUndefined();
});

test("who recorded an artifact or signed the final statement may not audit", () => {
  const begin = (world: World) =>
    world.ask("verification_run_started", { verification_id: "v1" }, { role: "auditor", ...ZOE })
      ?.rule;
  const world = worldIn("claiming", withRoles({}));
  expect(begin(world)).toBeUndefined();
  const kept = { ...EXECUTOR, ...ZOE, texts: ["a note"] };
  world.take("artifact_recorded", { description: "d" }, kept);
  expect(begin(world)).toBe("INDEPENDENCE_GUARD");
  const other = worldIn("claiming", withRoles({}));
  const statement = { consolidated_claim_ids: ["c1"], final_verdict_text: "t" };
  other.take("final_statement_signed", statement, { ...PLANNER, ...ZOE });
  expect(begin(other)).toBe("INDEPENDENCE_GUARD");
});

test("who settled a challenge may audit in solo, and in no other profile", () => {
  const world = worldIn("claiming", withRoles({}));
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  world.take("challenge_resolved", settled("x1", "upheld"), { ...CRITIC, ...ZOE });
  const begin = () =>
    world.ask("verification_run_started", { verification_id: "v1" }, { role: "auditor", ...ZOE })
      ?.rule;
  expect(begin()).toBeUndefined();
  for (const profile of ["team", "strict"] as const) {
    world.session.profile = profile;
    expect(begin()).toBe("INDEPENDENCE_GUARD");
  }
});

test("a challenge is withdrawn by who made it, and settled otherwise by another critic too", () => {
  const world = worldIn("claiming", withRoles({}));
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  const ask = (how: string, agent: string) =>
    world.ask("challenge_resolved", settled("x1", how), { ...CRITIC, agent })?.rule;
  expect(ask("withdrawn", "zoe")).toBe("ROLE_GUARD");
  expect(ask("upheld", "zoe")).toBeUndefined();
  expect(ask("withdrawn", "cleo")).toBeUndefined();
});

test("a claim on nothing but a struck claim's evidence was judged already", () => {
  const world = worldIn("claiming");
  const [input, output, other] = ["input", "output", "other"].map(sha256Hex);
  const ask = (evidence: (string | undefined)[]) =>
    world.ask("claim_issued", claim("c9", { evidence }), EXECUTOR)?.rule;
  world.take("claim_issued", claim("c2", { evidence: [other] }), EXECUTOR);
  world.take("claim_issued", claim("c3", { evidence: [input, output] }), EXECUTOR);
  world.take("claim_challenged", doubt("x3", "c3"), CRITIC);
  world.take("claim_challenged", doubt("x2", "c2"), CRITIC);
  expect(ask([output])).toBeUndefined();
  world.take("challenge_resolved", settled("x3", "upheld"), CRITIC);
  world.take("challenge_resolved", settled("x2", "upheld"), CRITIC);
  for (const evidence of [[input, output], [output], [output, output], [other]])
    expect(ask(evidence)).toBe("EVIDENCE_GUARD");
  // All of it was before the critic, but never as the evidence of one claim.
  expect(ask([output, other])).toBeUndefined();
  expect(ask([input, output, sha256Hex("new")])).toBeUndefined();
});

test("a revision does not take the evidence of a challenged claim out of the judgement", () => {
  const world = worldIn("claiming");
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  const sham = { evidence: [sha256Hex("sham")], revises: "c1" };
  world.take("claim_issued", claim("c2", sham), EXECUTOR);
  world.take("challenge_resolved", settled("x1", "upheld"), CRITIC);
  expect(world.ask("claim_issued", claim("c3"), EXECUTOR)?.rule).toBe("EVIDENCE_GUARD");
});

const TWO = { policy: { ...initialization().policy, attempts_max: 2 } };

test("attempts are counted by the work, with retry_of or without, until it succeeds", () => {
  const world = atWork(TWO);
  const ask = (more: object = {}) =>
    world.ask("tool_intent_signed", intent("i9", more), EXECUTOR)?.rule;
  run(world, "i1", "failed");
  run(world, "i2", "completed");
  run(world, "i3", "failed");
  expect(ask()).toBeUndefined();
  run(world, "i4", "failed");
  expect(ask()).toBe("LIMIT_GUARD");
  expect(ask({ tool_name: "Edit " })).toBe("LIMIT_GUARD");
  expect(ask({ retry_of: "i4" })).toBe("LIMIT_GUARD");
  expect(ask({ normalized_input_hash: sha256Hex("something else") })).toBeUndefined();
});

test("intents signed in advance and runs side by side are attempts too", () => {
  const world = atWork(TWO);
  for (const id of ["i1", "i2", "i3"]) sign(world, id);
  for (const id of ["i1", "i2"])
    world.take("tool_execution_started", begun(`e-${id}`, id), EXECUTOR);
  expect(askStart(world, "i3")).toBe("LIMIT_GUARD"); // two of two run
  finish(world, "i1", "failed");
  expect(askStart(world, "i3")).toBe("LIMIT_GUARD"); // one failed, one runs
  // A second failure cannot announce a third attempt.
  expect(world.ask("tool_execution_failed", failing("e-i2", "retry"), EXECUTOR)?.rule).toBe(
    "LIMIT_GUARD",
  );
  finish(world, "i2", "completed");
  expect(askStart(world, "i3")).toBeUndefined();
});

test.each([
  ["edit", { " EDIT": "critical" }],
  ["Edit ", { edit: "critical" }],
  ["edit", { Edit: "low", EDIT: "critical", edit: "low" }],
])("the tool %j has the risk of %j", (tool_name, tool_risk) => {
  const world = atWork({ policy: { ...initialization().policy, tool_risk } });
  sign(world, "i1", { tool_name });
  expect(askStart(world, "i1")).toBe("ACTION_GUARD");
});

test("only operator and runtime say from where on a key is not believed", () => {
  const world = worldIn("planning");
  const key = world.session.agents.get("eli")?.key;
  const ask = (more: object, role: Role) =>
    world.ask("key_revoked", { agent: "eli", key, reason: "r", ...more }, { role })?.rule;
  expect(ask({ compromised_from: 0 }, "executor")).toBe("ROLE_GUARD");
  expect(ask({}, "executor")).toBeUndefined();
  expect(ask({ compromised_from: 0 }, "operator")).toBeUndefined();
  expect(ask({ compromised_from: 0 }, "runtime")).toBeUndefined();
});
