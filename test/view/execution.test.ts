import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { intent, proposal, review, worldIn } from "./way.ts";
import { initialization, type World } from "./world.ts";

const EXECUTOR = { role: "executor" } as const;
const CRITIC = { role: "critic" } as const;
/** Eli may also judge, and Zoe may also execute: for asking whether they may do so with this work. */
const MIXED = {
  agents: initialization().agents.map((agent) =>
    agent.agent === "eli" ? { ...agent, roles: ["executor", "critic"] } : agent,
  ),
};
const withOther = () => {
  const agents = initialization().agents;
  return {
    agents: agents.map((one) =>
      one.agent === "mara" ? { ...one, roles: ["operator", "executor"] } : one,
    ),
  };
};

const askIntent = (world: World, more: object, id = "i9") =>
  world.ask("tool_intent_signed", intent(id, more), EXECUTOR)?.rule;
const judged = (id: string, status: string) => ({
  intent_id: id,
  intent_status: status,
  rationale: "r",
});
const begun = (execution: string, id: string) => ({ execution_id: execution, intent_id: id });
const failing = (execution: string, handling: string) => ({
  execution_id: execution,
  failure: "f",
  handling,
});

test("an intent's name is used once", () => {
  expect(askIntent(worldIn("executing"), {}, "i1")).toBe("IDENTITY_GUARD");
});

test("an intent rests on an approved proposal and on a tool that this proposal lists", () => {
  const world = worldIn("executing");
  expect(askIntent(world, { proposal_id: "p2" })).toBe("ACTION_GUARD"); // rejected
  expect(askIntent(world, { proposal_id: "p3" })).toBe("ACTION_GUARD"); // open
  expect(askIntent(world, { proposal_id: "p8" })).toBe("ACTION_GUARD"); // unknown
  expect(askIntent(world, { tool_name: "rm" })).toBe("ACTION_GUARD");
  world.take("proposal_reviewed", review("p3", "conditional", { conditions: ["c"] }), CRITIC);
  expect(askIntent(world, { proposal_id: "p3" })).toBeUndefined();
});

test("only failed or blocked work is retried, and once", () => {
  const world = worldIn("executing");
  expect(askIntent(world, { retry_of: "i8" })).toBe("ORDER_GUARD"); // unknown
  expect(askIntent(world, { retry_of: "i1" })).toBe("ORDER_GUARD"); // waits
  expect(askIntent(world, { retry_of: "i2" })).toBe("ORDER_GUARD"); // runs
  world.take("tool_execution_failed", failing("e2", "retry"), EXECUTOR);
  world.take("intent_reviewed", judged("i1", "blocked"), CRITIC);
  expect(askIntent(world, { retry_of: "i1" })).toBeUndefined();
  world.take("tool_intent_signed", intent("i3", { retry_of: "i2" }), EXECUTOR);
  expect(askIntent(world, { retry_of: "i2" })).toBe("ORDER_GUARD"); // retried already
});

test("attempts are counted along the chain of retries", () => {
  const policy = { ...initialization().policy, attempts_max: 2 };
  const world = worldIn("executing", { policy });
  world.take("tool_execution_failed", failing("e2", "retry"), EXECUTOR);
  world.take("tool_intent_signed", intent("i3", { retry_of: "i2" }), EXECUTOR);
  world.take("tool_execution_started", begun("e3", "i3"), EXECUTOR);
  // The second attempt is the last: no third may be announced, and none may be signed.
  expect(world.ask("tool_execution_failed", failing("e3", "retry"), EXECUTOR)?.rule).toBe(
    "LIMIT_GUARD",
  );
  world.take("tool_execution_failed", failing("e3", "accept"), EXECUTOR);
  expect(askIntent(world, { retry_of: "i3" })).toBe("LIMIT_GUARD");
});

test("an intent is judged before it runs, by another agent, and a block is final", () => {
  const world = worldIn("executing", MIXED);
  const ask = (id: string, status: string, agent = "cleo") =>
    world.ask("intent_reviewed", judged(id, status), { role: "critic", agent })?.rule;
  expect(ask("i8", "approved")).toBe("ORDER_GUARD"); // unknown
  expect(ask("i2", "approved")).toBe("ORDER_GUARD"); // runs already
  expect(ask("i1", "approved", "eli")).toBe("INDEPENDENCE_GUARD");
  world.take("intent_reviewed", judged("i1", "approved"), CRITIC);
  expect(ask("i1", "approved")).toBe("ORDER_GUARD"); // said already
  world.take("intent_reviewed", judged("i1", "blocked"), CRITIC);
  expect(ask("i1", "approved")).toBe("ORDER_GUARD");
});

test("an execution is one intent's only run, by the agent that signed it", () => {
  const world = worldIn("executing", withOther());
  const ask = (execution: string, id: string, agent = "eli") =>
    world.ask("tool_execution_started", begun(execution, id), { role: "executor", agent })?.rule;
  expect(ask("e9", "i8")).toBe("ORDER_GUARD"); // never signed
  expect(ask("e2", "i1")).toBe("IDENTITY_GUARD");
  expect(ask("e9", "i1", "mara")).toBe("ROLE_GUARD");
  expect(ask("e9", "i2")).toBe("ORDER_GUARD"); // has run
  expect(ask("e9", "i1")).toBeUndefined();
  world.take("intent_reviewed", judged("i1", "blocked"), CRITIC);
  expect(ask("e9", "i1")).toBe("ACTION_GUARD");
});

test("an intent does not start once its proposal was revised away", () => {
  const world = worldIn("executing");
  world.take("proposal_reviewed", review("p3", "conditional", { conditions: ["c"] }), CRITIC);
  world.take("tool_intent_signed", intent("i9", { proposal_id: "p3" }), EXECUTOR);
  world.take("proposal_created", proposal("p4", { revises: "p3" }), { role: "planner" });
  expect(world.ask("tool_execution_started", begun("e9", "i9"), EXECUTOR)?.rule).toBe(
    "ACTION_GUARD",
  );
});

test.each([
  ["low", "low", "ACTION_GUARD"],
  ["low", "medium", undefined],
  ["medium", "medium", "ACTION_GUARD"],
  ["high", "medium", "ACTION_GUARD"],
  ["high", "high", "ACTION_GUARD"],
  ["medium", "high", undefined],
  ["high", "critical", undefined],
  ["critical", "critical", "ACTION_GUARD"],
] as const)("risk %s under a threshold of %s gives %s", (risk, threshold, expected) => {
  const policy = { ...initialization().policy, approval_from: threshold };
  const world = worldIn("reviewing", { policy });
  world.take("proposal_reviewed", review("p1", "approved"), CRITIC);
  const signed = intent("i1", { risk_class: risk });
  world.take("tool_intent_signed", signed, { ...EXECUTOR, texts: ["input"] });
  expect(world.ask("tool_execution_started", begun("e1", "i1"), EXECUTOR)?.rule).toBe(expected);
  world.take("intent_reviewed", judged("i1", "approved"), CRITIC);
  expect(world.ask("tool_execution_started", begun("e1", "i1"), EXECUTOR)).toBeUndefined();
});

test("the policy's word on a tool outweighs the executor's", () => {
  const policy = { ...initialization().policy, tool_risk: { edit: "critical" } };
  const world = worldIn("reviewing", { policy });
  world.take("proposal_reviewed", review("p1", "approved"), CRITIC);
  world.take("tool_intent_signed", intent("i1"), { ...EXECUTOR, texts: ["input"] });
  expect(world.ask("tool_execution_started", begun("e1", "i1"), EXECUTOR)?.rule).toBe(
    "ACTION_GUARD",
  );
});

test("an execution needs its input stored, by then or along with it", () => {
  const world = worldIn("executing");
  const elsewhere = intent("i9", { normalized_input_hash: sha256Hex("never stored") });
  world.take("tool_intent_signed", elsewhere, EXECUTOR);
  const ask = (texts: string[]) =>
    world.ask("tool_execution_started", begun("e9", "i9"), { ...EXECUTOR, texts })?.rule;
  expect(ask([])).toBe("EVIDENCE_GUARD");
  expect(ask(["something else"])).toBe("EVIDENCE_GUARD");
  expect(ask(["never stored"])).toBeUndefined();
});

test("an execution ends once, by its own agent, and a good end stores its output", () => {
  const world = worldIn("executing", withOther());
  const ask = (execution: string, agent: string, texts: string[]) =>
    world.ask(
      "tool_execution_completed",
      { execution_id: execution, exit_status: 0 },
      { role: "executor", agent, texts },
    )?.rule;
  expect(ask("e8", "eli", ["out"])).toBe("ORDER_GUARD"); // never started
  expect(ask("e2", "mara", ["out"])).toBe("ROLE_GUARD");
  expect(ask("e2", "eli", [])).toBe("EVIDENCE_GUARD");
  world.take("tool_execution_failed", failing("e2", "accept"), EXECUTOR);
  expect(ask("e2", "eli", ["out"])).toBe("ORDER_GUARD"); // ended already
});

test("a fallback is announced only where the policy permits it", () => {
  const policy = { ...initialization().policy, fallback: false };
  const world = worldIn("executing", { policy });
  const ask = (handling: string) =>
    world.ask("tool_execution_failed", failing("e2", handling), EXECUTOR)?.rule;
  expect(ask("fallback")).toBe("ACTION_GUARD");
  expect(ask("retry")).toBeUndefined();
});

test("recording artifacts takes an artifact, and an execution that exists", () => {
  const world = worldIn("executing");
  const ask = (body: object, texts: string[]) =>
    world.ask("artifact_recorded", { description: "d", ...body }, { ...EXECUTOR, texts })?.rule;
  expect(ask({}, [])).toBe("EVIDENCE_GUARD");
  expect(ask({ execution_id: "e8" }, ["t"])).toBe("ORDER_GUARD");
  expect(ask({ execution_id: "e2" }, ["t"])).toBeUndefined();
});
