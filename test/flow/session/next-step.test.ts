import { expect, test } from "vitest";
import { type Known, nextStep } from "../../../src/flow/session/next-step.ts";
import { SESSION_RULES } from "../../../src/flow/session/session-rules.ts";
import { emptySession, type Session } from "../../../src/view/index.ts";

const KNOWN: Known = {
  rules: SESSION_RULES.team,
  subtasks: ["st-01"],
  proposals: ["st-01.p2"],
  mayReplan: true,
  workStatus: undefined,
  auditVerdict: undefined,
  voters: ["sworn"],
  isDelivered: false,
};

type Status = NonNullable<ReturnType<Session["proposals"]["get"]>>["status"];

function reviewing(statuses: Readonly<Record<string, Status>>): Session {
  const session = emptySession();
  session.state = "reviewing";
  for (const [name, status] of Object.entries(statuses)) {
    const view = { seq: 1, authors: ["lead"], tools: new Set<string>(), conditions: [] };
    session.proposals.set(name, { ...view, status });
  }
  return session;
}

test("after a rejection another plan is asked for, as long as one may be", () => {
  const session = reviewing({ "st-01.p2": "rejected" });
  expect(nextStep(session, KNOWN)).toBe("plan");
  expect(nextStep(session, { ...KNOWN, mayReplan: false })).toBe("fail");
});

test("what is left of a rejected plan is not reviewed any more", () => {
  const session = reviewing({ "st-01.p2": "rejected", "st-02.p2": "proposed" });
  const known = { ...KNOWN, proposals: ["st-02.p2", "st-01.p2"] };
  expect(nextStep(session, known)).toBe("plan");
});

test("proposals of a plan that was superseded keep nothing from going on", () => {
  const old = { "st-01": "revised", "st-02": "rejected", "st-03": "proposed" } as const;
  expect(nextStep(reviewing({ ...old, "st-01.p2": "proposed" }), KNOWN)).toBe("review");
  expect(nextStep(reviewing({ ...old, "st-01.p2": "approved" }), KNOWN)).toBe("intend");
});
