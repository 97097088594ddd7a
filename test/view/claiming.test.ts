import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import type { Session } from "../../src/view/index.ts";
import { checked, claim, intent, review, worldIn } from "./way.ts";
import { initialization, type World } from "./world.ts";

const EXECUTOR = { role: "executor" } as const;
const CRITIC = { role: "critic" } as const;
/** Eli and Mara may execute, and Eli may also judge. */
const MIXED = {
  agents: initialization().agents.map((agent) =>
    agent.agent === "eli"
      ? { ...agent, roles: ["executor", "critic"] }
      : agent.agent === "mara"
        ? { ...agent, roles: ["operator", "executor"] }
        : agent,
  ),
};

const ask = (world: World, more: object, id = "c9", agent = "eli") =>
  world.ask("claim_issued", claim(id, more), { role: "executor", agent })?.rule;
const doubt = (id: string, about: string) => ({
  challenge_id: id,
  claim_id: about,
  reason: "r",
});
const settled = (id: string, resolution: string) => ({
  challenge_id: id,
  resolution,
  rationale: "r",
});
const statement = (...claims: string[]) => ({
  consolidated_claim_ids: claims,
  final_verdict_text: "t",
});
const askFinal = (world: World, ...claims: string[]) =>
  world.ask("final_statement_signed", statement(...claims), EXECUTOR);

test("a claim's name is used once", () => {
  expect(ask(worldIn("claiming"), {}, "c1")).toBe("IDENTITY_GUARD");
});

test("a claim speaks of executions that have ended", () => {
  const world = worldIn("claiming");
  expect(ask(world, { execution_ids: ["e8"] })).toBe("ORDER_GUARD");
  expect(ask(world, { execution_ids: ["e1", "e8"] })).toBe("ORDER_GUARD");
  expect(ask(world, { execution_ids: ["e1"] })).toBeUndefined();
});

test("a claim is revised by its author while it stands", () => {
  const world = worldIn("claiming", MIXED);
  expect(ask(world, { revises: "c8" })).toBe("ORDER_GUARD");
  expect(ask(world, { revises: "c1" }, "c9", "mara")).toBe("ROLE_GUARD");
  world.take("claim_issued", claim("c2", { revises: "c1" }), EXECUTOR);
  expect(ask(world, { revises: "c1" })).toBe("ORDER_GUARD");
});

test("evidence is counted by what it is, not by how often it is named", () => {
  const policy = { ...initialization().policy, evidence_min: 2 };
  const world = worldIn("claiming");
  world.session.policy = policy;
  const one = sha256Hex("output");
  expect(ask(world, { evidence: [one] })).toBe("EVIDENCE_GUARD");
  expect(ask(world, { evidence: [one, one] })).toBe("EVIDENCE_GUARD");
  expect(ask(world, { evidence: [one, sha256Hex("input")] })).toBeUndefined();
});

test("a challenge is about a standing claim of somebody else", () => {
  const world = worldIn("claiming", MIXED);
  const challenge = (id: string, about: string, agent = "cleo") =>
    world.ask("claim_challenged", doubt(id, about), { role: "critic", agent })?.rule;
  expect(challenge("x1", "c8")).toBe("ORDER_GUARD");
  expect(challenge("x1", "c1", "eli")).toBe("INDEPENDENCE_GUARD");
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  expect(challenge("x1", "c1")).toBe("IDENTITY_GUARD");
  world.take("claim_issued", claim("c2", { revises: "c1" }), EXECUTOR);
  expect(challenge("x2", "c1")).toBe("ORDER_GUARD"); // revised by now
});

test("a challenge is settled once, by another agent than the claim's author", () => {
  const world = worldIn("claiming", MIXED);
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  const settle = (id: string, how: string, agent = "cleo") =>
    world.ask("challenge_resolved", settled(id, how), { role: "critic", agent })?.rule;
  expect(settle("x8", "withdrawn")).toBe("ORDER_GUARD");
  expect(settle("x1", "withdrawn", "eli")).toBe("INDEPENDENCE_GUARD");
  expect(settle("x1", "revised")).toBe("ORDER_GUARD"); // nothing was revised
  world.take("challenge_resolved", settled("x1", "withdrawn"), CRITIC);
  expect(settle("x1", "withdrawn")).toBe("ORDER_GUARD");
});

test("an upheld challenge strikes the claim in its newest wording", () => {
  const world = worldIn("claiming");
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  world.take("claim_issued", claim("c2", { revises: "c1" }), EXECUTOR);
  world.take("claim_issued", claim("c3", { revises: "c2" }), EXECUTOR);
  world.take("challenge_resolved", settled("x1", "upheld"), CRITIC);
  expect([...world.session.claims].map(([id, { status }]) => `${id} ${status}`)).toEqual([
    "c1 revised",
    "c2 revised",
    "c3 struck",
  ]);
});

test("the final statement lists the standing claims, all of them and nothing else", () => {
  const world = worldIn("claiming");
  world.take("claim_issued", claim("c2"), EXECUTOR);
  expect(askFinal(world, "c1")).toMatchObject({
    rule: "FINALIZATION_GUARD",
    reason: expect.stringContaining("left out"),
  });
  expect(askFinal(world, "c1", "c2", "c8")).toMatchObject({
    rule: "FINALIZATION_GUARD",
    reason: expect.stringContaining("not a standing claim"),
  });
  expect(askFinal(world, "c1", "c2")).toBeUndefined();
});

test("no final statement while a challenge is open", () => {
  const world = worldIn("claiming");
  world.take("claim_challenged", doubt("x1", "c1"), CRITIC);
  expect(askFinal(world, "c1")).toMatchObject({
    rule: "FINALIZATION_GUARD",
    reason: expect.stringContaining("x1 is still open"),
  });
});

test("no final statement on a claim that holds a made-up finding", () => {
  const world = worldIn("claiming", MIXED);
  const check = (verdict: string) => world.take("finding_checked", checked("c1", verdict), CRITIC);
  expect(
    world.ask("finding_checked", checked("c1", "CONFIRMED"), { role: "critic", agent: "eli" })
      ?.rule,
  ).toBe("INDEPENDENCE_GUARD");
  expect(world.ask("finding_checked", checked("c8", "CONFIRMED"), CRITIC)?.rule).toBe(
    "ORDER_GUARD",
  );
  for (const verdict of ["CONFIRMED", "INACCURATE", "UNVERIFIED"]) check(verdict);
  expect(askFinal(world, "c1")).toBeUndefined();
  check("HALLUCINATED");
  check("CONFIRMED"); // does not undo it
  expect(askFinal(world, "c1")).toMatchObject({
    rule: "FINALIZATION_GUARD",
    reason: "claim c1 holds a finding that is not in the source",
  });
  world.take("claim_issued", claim("c2", { revises: "c1" }), EXECUTOR);
  expect(askFinal(world, "c2")).toBeUndefined();
});

test("no final statement while a condition of used work is not met by a standing claim", () => {
  const world = worldIn("claiming");
  const conditions = ["shows that it works", "shows that it stops"];
  world.take("proposal_reviewed", review("p3", "conditional", { conditions }), CRITIC);
  // Nothing rests on p3 yet, so its conditions bind nobody.
  expect(askFinal(world, "c1")).toBeUndefined();
  world.take("tool_intent_signed", intent("i3", { proposal_id: "p3" }), EXECUTOR);
  world.take("tool_execution_started", { execution_id: "e3", intent_id: "i3" }, EXECUTOR);
  const end = { execution_id: "e3", exit_status: 0 };
  world.take("tool_execution_completed", end, { ...EXECUTOR, texts: ["out"] });
  expect(askFinal(world, "c1")).toMatchObject({
    rule: "FINALIZATION_GUARD",
    reason: expect.stringContaining("shows that it works"),
  });
  const meets = [0, 1].map((condition) => ({ proposal_id: "p3", condition }));
  world.take("claim_issued", claim("c2", { meets: meets.slice(0, 1) }), EXECUTOR);
  expect(askFinal(world, "c1", "c2")).toMatchObject({
    reason: expect.stringContaining("shows that it stops"),
  });
  world.take("claim_issued", claim("c3", { meets: meets.slice(1) }), EXECUTOR);
  expect(askFinal(world, "c1", "c2", "c3")).toBeUndefined();
  world.take("claim_challenged", doubt("x1", "c3"), CRITIC);
  world.take("challenge_resolved", settled("x1", "upheld"), CRITIC);
  expect(askFinal(world, "c1", "c2")).toMatchObject({ rule: "FINALIZATION_GUARD" });
});

/** Whether a final statement may rest on a claim with this evidence, of e1 and e5 or of e1 alone. */
function claimOn(profile: Session["profile"], evidence: string[], named = ["e1", "e5"]): boolean {
  const world = worldIn("claiming");
  world.session.profile = profile;
  world.session.policy = { ...world.session.policy, evidence_min: profile === "strict" ? 2 : 1 };
  const record = (text: string, execution?: string) =>
    world.take(
      "artifact_recorded",
      { description: "d", ...(execution ? { execution_id: execution } : {}) },
      { ...EXECUTOR, texts: [text] },
    );
  world.take("tool_intent_signed", intent("i5"), EXECUTOR);
  const start = { execution_id: "e5", intent_id: "i5" };
  world.take("tool_execution_started", start, { ...EXECUTOR, texts: ["begun"] });
  const end = { execution_id: "e5", exit_status: 0 };
  const texts = ["second", "third", "loose then made"];
  record("loose then made");
  world.take("tool_execution_completed", end, { ...EXECUTOR, texts });
  record("more", "e5");
  record("loose");
  const cited = { evidence: evidence.map(sha256Hex), execution_ids: named };
  world.take("claim_issued", claim("c2", { ...cited, revises: "c1" }), EXECUTOR);
  record("late");
  return askFinal(world, "c2") === undefined;
}

test.each([
  ["solo", ["output"], true],
  ["solo", ["output", "nothing"], true],
  ["solo", ["nothing"], false],
  ["solo", ["late"], false],
  ["team", ["output"], true],
  ["team", ["output", "nothing"], false],
  ["team", ["output", "late"], false],
  ["strict", ["output", "second"], true],
  ["strict", ["output", "loose then made"], true],
  ["strict", ["second", "third"], false], // two outputs of one execution are one origin
  ["strict", ["output", "loose"], false], // what no execution made has no origin
  ["strict", ["output", "more"], false], // neither has what was put beside an execution later
  ["strict", ["output", "begun"], false], // nor what was there before it ran
  ["strict", ["output", "second", "nothing"], false],
] as const)("in %s evidence %j is enough: %s", (profile, evidence, isEnough) => {
  expect(claimOn(profile, [...evidence])).toBe(isEnough);
});

test("in strict an execution that the claim does not name is no origin of its evidence", () => {
  expect(claimOn("strict", ["output", "second"], ["e1"])).toBe(false);
  expect(claimOn("strict", ["output", "second"], ["e1", "e1"])).toBe(false);
});

test("a failed execution is an origin too", () => {
  const world = worldIn("claiming");
  world.session.profile = "strict";
  world.session.policy = { ...world.session.policy, evidence_min: 2 };
  world.take("tool_intent_signed", intent("i5"), EXECUTOR);
  world.take("tool_execution_started", { execution_id: "e5", intent_id: "i5" }, EXECUTOR);
  const end = { execution_id: "e5", failure: "f", handling: "accept" };
  world.take("tool_execution_failed", end, { ...EXECUTOR, texts: ["what it said"] });
  const evidence = ["output", "what it said"].map(sha256Hex);
  const cited = { evidence, execution_ids: ["e1", "e5"], revises: "c1" };
  world.take("claim_issued", claim("c2", cited), EXECUTOR);
  expect(askFinal(world, "c2")).toBeUndefined();
});
