import { expect } from "vitest";
import { EventRequest } from "../../src/schema/index.ts";
import { verifies } from "../verifies.ts";
import {
  claim,
  completed,
  failed,
  finalStatement,
  intent,
  judgement,
  proposal,
  review,
  started,
  UNIT,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

const wellFormed = (units: unknown) =>
  EventRequest.safeParse({
    actor: { agent: "ada", role: "planner" },
    type: "proposal_created",
    body: { proposal_id: "p1", units },
  }).success;

verifies(
  "002-21",
  "a proposal has units, and each says objective, assumptions, tools and expected evidence",
  async () => {
    expect(wellFormed([UNIT])).toBe(true);
    expect(wellFormed([])).toBe(false);
    expect(wellFormed(undefined)).toBe(false);
    for (const part of ["objective", "assumptions", "required_tools", "expected_evidence"]) {
      const { [part as keyof typeof UNIT]: _, ...rest } = UNIT;
      expect([part, wellFormed([rest])]).toEqual([part, false]);
      expect([part, wellFormed([UNIT, rest])]).toEqual([part, false]);
    }
    expect(wellFormed([{ ...UNIT, required_tools: [] }])).toBe(false);
    expect(wellFormed([{ ...UNIT, expected_evidence: [] }])).toBe(false);
    expect(wellFormed([{ ...UNIT, objective: "" }])).toBe(false);
    const stage = await Stage.at("planning");
    await stage.accept(proposal("p1", { units: [UNIT, { ...UNIT, objective: "Then test it" }] }));
    expect(stage.last("proposal_created").body.units).toEqual([
      UNIT,
      { ...UNIT, objective: "Then test it" },
    ]);
    // The tools a unit lists are the tools that may be used for it.
    await stage.accept(review("p1"));
    await stage.refuse(intent("i1", { tool_name: "psql" }), "ACTION_GUARD");
  },
);

verifies(
  "002-22",
  "each proposal gets one answer from the critic: approved, rejected or conditional",
  async () => {
    const stage = await Stage.at("planning");
    await stage.accept(proposal("p1"), proposal("p2"), proposal("p3"));
    await stage.refuse(review("p1", "conditional"), "EVIDENCE_GUARD");
    await stage.refuse(review("p1", "approved", { conditions: ["c"] }), "EVIDENCE_GUARD");
    await stage.refuse(review("p4"), "ORDER_GUARD");
    await stage.accept(
      review("p1", "approved"),
      review("p2", "rejected"),
      review("p3", "conditional", { conditions: ["c"] }),
    );
    expect([...stage.session.proposals.values()].map(({ status }) => status)).toEqual([
      "approved",
      "rejected",
      "conditional",
    ]);
    for (const id of ["p1", "p2", "p3"]) await stage.refuse(review(id), "ORDER_GUARD");
    expect(() => review("p1", "perhaps")).toThrow();
  },
);

verifies("002-22", "the conditions of an approval must be met before the end", async () => {
  const stage = await Stage.at("reviewing");
  await stage.accept(review("p1", "conditional", { conditions: ["a test forgets old attempts"] }));
  await stage.accept(...work(1), claim("c1"));
  await stage.refuse(finalStatement("c1"), "FINALIZATION_GUARD");
  const meets = [{ proposal_id: "p1", condition: 0 }];
  await stage.accept(claim("c2", { meets }), finalStatement("c1", "c2"));
});

verifies("002-23", "a rejected proposal never runs, not even through an old name", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(proposal("p1"), proposal("p2"), review("p1", "rejected"), review("p2"));
  await stage.refuse(intent("i1"), "ACTION_GUARD");
  await stage.refuse(intent("i1", { proposal_id: "p3" }), "ACTION_GUARD");
  await stage.refuse(review("p1", "approved"), "ORDER_GUARD");
  await stage.accept(intent("i1", { proposal_id: "p2" }));
});

verifies(
  ["002-35", "002-31"],
  "several proposals are open side by side, each with its own answer and its own work",
  async () => {
    const stage = await Stage.at("planning");
    await stage.accept(proposal("p1"), proposal("p2"), proposal("p3"));
    await stage.accept(review("p2"), review("p3"));
    await stage.accept(intent("i2", { proposal_id: "p2" }), intent("i3", { proposal_id: "p3" }));
    await stage.accept(started("e2", "i2"), started("e3", "i3"), completed("e3"));
    expect(stage.session.proposals.get("p1")?.status).toBe("proposed");
    expect(stage.session.runningExecutions).toBe(1);
    const before = stage.lines();
    await stage.refuse(proposal("p4", { revises: "p2" }), "ORDER_GUARD"); // approved
    await stage.refuse(proposal("p4", { revises: "p9" }), "ORDER_GUARD"); // unknown
    // The planner revises p1 by adding; the old words stay on record.
    await stage.accept(proposal("p4", { revises: "p1" }));
    expect(stage.lines().slice(0, before.length)).toEqual(before);
    expect(stage.last("proposal_created").parents).toEqual([{ seq: 1, kind: "revises" }]);
    await stage.refuse(review("p1"), "ORDER_GUARD");
    await stage.accept(review("p4"), completed("e2"));
    expect((await stage.verify()).failures).toEqual([]);
  },
);

verifies(
  "002-42",
  "what the critic rejected or blocked stays so until a revision replaces it",
  async () => {
    const stage = await Stage.at("planning");
    await stage.accept(proposal("p1"), review("p1", "rejected"), proposal("p2", { revises: "p1" }));
    expect(stage.session.proposals.get("p1")?.status).toBe("revised");
    await stage.accept(review("p2"), intent("i1", { proposal_id: "p2" }));
    await stage.accept(judgement("i1", "blocked"));
    await stage.refuse(judgement("i1", "approved"), "ORDER_GUARD");
    await stage.refuse(started("e1", "i1"), "ACTION_GUARD");
    await stage.accept(intent("i2", { proposal_id: "p2", retry_of: "i1" }));
    await stage.refuse(started("e1", "i1"), "ACTION_GUARD");
    await stage.accept(started("e2", "i2"), completed("e2"));
    expect(stage.session.intents.get("i1")?.review).toBe("blocked");

    // Work that was signed under a proposal does not start once the proposal is revised away.
    const other = await Stage.at("reviewing");
    await other.accept(review("p1", "conditional", { conditions: ["a test"] }), intent("i1"));
    await other.accept(proposal("p2", { revises: "p1" }));
    await other.refuse(started("e1", "i1"), "ACTION_GUARD");
  },
);

verifies(
  "002-41",
  "a tool that fails leaves its failure on record, and a fallback where the policy permits one",
  async () => {
    const stage = await Stage.at("executing");
    await stage.accept(intent("i1"), started("e1", "i1"), failed("e1", "fallback"));
    expect(stage.last("tool_execution_failed").body).toMatchObject({
      execution_id: "e1",
      failure: "the port was taken",
      handling: "fallback",
      exit_status: 1,
    });
    expect(stage.state).toBe("executing");
    await stage.refuse(proposal("p2"), "STATE_GUARD");
    await stage.refuse(proposal("p2", { fallback_for: "e9" }), "ORDER_GUARD");
    await stage.accept(proposal("p2", { fallback_for: "e1" }), review("p2"));
    await stage.accept(intent("i2", { proposal_id: "p2" }), started("e2", "i2"), completed("e2"));
    expect(stage.state).toBe("claiming");

    const strict = await Stage.at("executing", { policy: { fallback: false } });
    await strict.accept(intent("i1"), started("e1", "i1"));
    await strict.refuse(failed("e1", "fallback"), "ACTION_GUARD");
    await strict.accept(failed("e1", "accept"));
    await strict.refuse(proposal("p2", { fallback_for: "e1" }), "ACTION_GUARD");
  },
);

verifies(
  "002-43",
  "a retry is a new intent and a new execution beside the old ones, a bounded number of times",
  async () => {
    const stage = await Stage.at("executing", { policy: { attempts_max: 2 } });
    await stage.accept(intent("i1"), started("e1", "i1"), failed("e1", "retry"));
    const before = stage.lines();
    await stage.refuse(started("e2", "i1"), "ORDER_GUARD"); // not the old intent again
    await stage.refuse(started("e1", "i1"), "IDENTITY_GUARD");
    await stage.refuse(intent("i1"), "IDENTITY_GUARD");
    await stage.accept(intent("i2", { retry_of: "i1" }), started("e2", "i2"));
    expect(stage.last("tool_intent_signed").parents).toContainEqual({
      seq: JSON.parse(before[3] ?? "").seq,
      kind: "retries",
    });
    await stage.refuse(failed("e2", "retry"), "LIMIT_GUARD");
    await stage.accept(failed("e2", "accept"));
    await stage.refuse(intent("i3", { retry_of: "i2" }), "LIMIT_GUARD");
    await stage.refuse(intent("i3", { retry_of: "i1" }), "ORDER_GUARD"); // retried already
    expect(stage.lines().slice(0, before.length)).toEqual(before);
    expect([...stage.session.executions.values()].map(({ status }) => status)).toEqual([
      "failed",
      "failed",
    ]);
    expect((await stage.verify()).failures).toEqual([]);
  },
);
