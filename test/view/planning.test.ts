import { expect, test } from "vitest";
import { proposal, review, worldIn } from "./way.ts";
import { enrolled, freshKey, initialization, World } from "./world.ts";

const START = { role: "planner" } as const;
const begin = (body: object) => new World().ask("session_initialized", body, START)?.rule;
const agents = initialization().agents;
const without = (role: string) => agents.filter(({ roles }) => !(roles as string[]).includes(role));

test.each(["planner", "executor", "critic", "auditor", "operator", "runtime"])(
  "a session that registers no %s is refused",
  (role) => {
    const refusal = new World().ask(
      "session_initialized",
      initialization({ agents: without(role) }),
      START,
    );
    expect(refusal).toMatchObject({ rule: "ROLE_GUARD", reason: expect.stringContaining(role) });
  },
);

test("a session registers each agent once", () => {
  const twice = [...agents, enrolled("eli", ["critic"], freshKey())];
  expect(begin(initialization({ agents: twice }))).toBe("IDENTITY_GUARD");
});

test("two agents behind one key could approve their own work, so they are refused", () => {
  const [first] = agents;
  const shared = { ...enrolled("zoe", ["critic"]), key: first?.key, public: first?.public };
  expect(begin(initialization({ agents: [...agents, shared] }))).toBe("INDEPENDENCE_GUARD");
});

test("a session has one runtime, and it holds no other role", () => {
  const second = [...agents, enrolled("zoe", ["runtime"])];
  expect(begin(initialization({ agents: second }))).toBe("IDENTITY_GUARD");
  const busy = [...without("runtime"), enrolled("sworn", ["runtime", "critic"])];
  expect(begin(initialization({ agents: busy }))).toBe("INDEPENDENCE_GUARD");
});

test("who opens a session registers itself, with the role and the key it acts with", () => {
  const stranger = { role: "planner", agent: "zoe", key: freshKey().key } as const;
  expect(new World().ask("session_initialized", initialization(), stranger)?.rule).toBe(
    "ROLE_GUARD",
  );
  const disguised = { role: "planner", agent: "eli" } as const;
  expect(new World().ask("session_initialized", initialization(), disguised)?.rule).toBe(
    "ROLE_GUARD",
  );
  const elsewhere = { role: "planner", key: freshKey().key } as const;
  expect(new World().ask("session_initialized", initialization(), elsewhere)?.rule).toBe(
    "KEY_GUARD",
  );
});

test("a key whose id is not its own, or that anyone could sign for, is not enrolled", () => {
  const misnamed = { ...enrolled("zoe", ["critic"]), key: "0".repeat(32) };
  expect(begin(initialization({ agents: [...agents, misnamed] }))).toBe("KEY_GUARD");
  // The identity of the curve: one signature of this key fits every message.
  const publicText = Buffer.from("01".padEnd(64, "0"), "hex").toString("base64");
  const weak = { ...enrolled("zoe", ["critic"]), public: publicText };
  expect(
    new World().ask("session_initialized", initialization({ agents: [...agents, weak] }), START),
  ).toMatchObject({ rule: "KEY_GUARD", reason: expect.stringContaining("small-order") });
});

test("a proposal's name is used once", () => {
  const world = worldIn("reviewing");
  expect(world.ask("proposal_created", proposal("p1"), START)?.rule).toBe("IDENTITY_GUARD");
});

test("what is revised is a proposal that was rejected, or is not approved outright", () => {
  const world = worldIn("executing");
  const revise = (id: string) =>
    world.ask("proposal_created", proposal("p9", { revises: id }), START)?.rule;
  expect(revise("p1")).toBe("ORDER_GUARD"); // approved
  expect(revise("p8")).toBe("ORDER_GUARD"); // unknown
  expect(revise("p2")).toBeUndefined(); // rejected
  expect(revise("p3")).toBeUndefined(); // open
});

test("a revised proposal is out of play", () => {
  const world = worldIn("executing");
  world.take("proposal_created", proposal("p9", { revises: "p3" }), START);
  expect(world.ask("proposal_reviewed", review("p3", "approved"), { role: "critic" })?.rule).toBe(
    "ORDER_GUARD",
  );
  expect(world.ask("proposal_created", proposal("p8", { revises: "p3" }), START)?.rule).toBe(
    "ORDER_GUARD",
  );
});

test("a fallback answers an execution that failed, where the policy permits fallbacks", () => {
  const world = worldIn("executing");
  const fallback = (id: string) =>
    world.ask("proposal_created", proposal("p9", { fallback_for: id }), START)?.rule;
  expect(fallback("e2")).toBe("ORDER_GUARD"); // still running
  expect(fallback("e8")).toBe("ORDER_GUARD"); // unknown
  const failed = { execution_id: "e2", failure: "f", handling: "accept" };
  world.take("tool_execution_failed", failed, { role: "executor" });
  expect(fallback("e2")).toBeUndefined();
  world.session.policy = { ...world.session.policy, fallback: false };
  expect(fallback("e2")).toBe("ACTION_GUARD");
});

test.each(["executing", "claiming"] as const)(
  "while %s a new proposal needs a reason: a revision, a fallback or a rework",
  (state) => {
    const world = worldIn(state);
    expect(world.ask("proposal_created", proposal("p9"), START)?.rule).toBe("STATE_GUARD");
    world.session.reworkRounds = 1;
    expect(world.ask("proposal_created", proposal("p9"), START)).toBeUndefined();
  },
);

test("a review is about an open proposal, by somebody else than its author", () => {
  const agentsOfTwo = agents.map((agent) =>
    agent.agent === "ada" ? { ...agent, roles: ["planner", "critic"] } : agent,
  );
  const world = worldIn("executing", { agents: agentsOfTwo });
  const critic = { role: "critic" } as const;
  const ask = (id: string, asking: { role: "critic"; agent?: string } = critic) =>
    world.ask("proposal_reviewed", review(id, "approved"), asking)?.rule;
  expect(ask("p8")).toBe("ORDER_GUARD"); // unknown
  expect(ask("p1")).toBe("ORDER_GUARD"); // approved already
  expect(ask("p2")).toBe("ORDER_GUARD"); // rejected already
  expect(ask("p3", { role: "critic", agent: "ada" })).toBe("INDEPENDENCE_GUARD");
  expect(ask("p3")).toBeUndefined();
});

test("conditions come with a conditional approval, and with nothing else", () => {
  const world = worldIn("reviewing");
  const ask = (status: string, conditions?: string[]) =>
    world.ask("proposal_reviewed", review("p1", status, conditions ? { conditions } : {}), {
      role: "critic",
    })?.rule;
  expect(ask("conditional")).toBe("EVIDENCE_GUARD");
  expect(ask("conditional", [])).toBe("EVIDENCE_GUARD");
  expect(ask("approved", ["c"])).toBe("EVIDENCE_GUARD");
  expect(ask("rejected", ["c"])).toBe("EVIDENCE_GUARD");
  expect(ask("conditional", ["c"])).toBeUndefined();
});
