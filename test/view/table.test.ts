import { expect, test } from "vitest";
import type { EventType, Role } from "../../src/schema/index.ts";
import { PROTOCOL, type SessionState } from "../../src/view/index.ts";
import { verifies } from "../verifies.ts";
import { BEFORE, FITTING, TEXTS, worldIn } from "./way.ts";

const STATES: SessionState[] = [
  "initialized",
  "planning",
  "reviewing",
  "executing",
  "claiming",
  "auditing",
  "completed",
  "failed",
  "aborted",
];
const ROLES: Role[] = ["planner", "executor", "critic", "auditor", "operator", "runtime"];
const WORKING = "planning reviewing executing claiming";
const OPEN = `${WORKING} auditing`;

/** The protocol by hand: who, and from which state into which. A bare state stays as it is. */
const TABLE: Record<EventType, readonly [by: string, ways: string]> = {
  session_initialized: ["planner", "initialized>planning"],
  proposal_created: ["planner", "planning>reviewing reviewing executing claiming"],
  proposal_reviewed: ["critic", "reviewing>executing executing claiming"],
  tool_intent_signed: ["executor", "executing claiming>executing"],
  intent_reviewed: ["critic", "executing"],
  tool_execution_started: ["executor", "executing"],
  tool_execution_completed: ["executor", "executing"],
  tool_execution_failed: ["executor", "executing"],
  artifact_recorded: ["executor", "executing claiming"],
  claim_issued: ["executor", "claiming"],
  claim_challenged: ["critic", "claiming"],
  challenge_resolved: ["critic", "claiming"],
  finding_checked: ["critic", "claiming"],
  final_statement_signed: ["executor planner", "claiming>auditing"],
  verification_run_started: ["auditor", "claiming>auditing auditing"],
  verification_run_completed: ["auditor", "auditing>completed"],
  rework_opened: ["auditor operator", "auditing>executing"],
  completion_proposed: ["planner executor operator runtime", OPEN],
  vote_cast: ["critic auditor operator runtime", OPEN],
  review_moved: ["planner operator runtime", `${OPEN} completed`],
  session_failed: [
    "auditor operator runtime",
    "planning>failed reviewing>failed executing>failed claiming>failed auditing>failed",
  ],
  session_aborted: [
    "operator",
    "planning>aborted reviewing>aborted executing>aborted claiming>aborted auditing>aborted",
  ],
  agent_enrolled: ["operator runtime", OPEN],
  run_started: ["runtime", OPEN],
  run_completed: ["runtime", OPEN],
  beat_opened: ["runtime", OPEN],
  status_claimed: ["runtime", OPEN],
  lease_taken: ["runtime", OPEN],
  lease_ended: ["runtime", OPEN],
  message_posted: [ROLES.join(" "), OPEN],
  question_asked: [ROLES.join(" "), WORKING],
  question_answered: [ROLES.join(" "), WORKING],
  fact_recorded: [ROLES.join(" "), OPEN],
  decision_recorded: [ROLES.join(" "), OPEN],
  exception_recorded: ["operator", OPEN],
  key_rotated: [ROLES.join(" "), OPEN],
  key_revoked: [ROLES.join(" "), OPEN],
  gap_recorded: ["operator runtime", `${OPEN} completed failed aborted`],
};
const TYPES = Object.keys(TABLE) as EventType[];

/** Where the table says an event leads: a state, or the guard that refuses it. */
function expectedOf(type: EventType, state: SessionState, role: Role): string {
  const [by, ways] = TABLE[type];
  const way = ways.split(" ").find((one) => one.split(">")[0] === state);
  if (type !== "session_initialized" && state === "initialized") return "STATE_GUARD";
  if (!by.split(" ").includes(role)) return "ROLE_GUARD";
  return way === undefined ? "STATE_GUARD" : (way.split(">")[1] ?? state);
}

/** Where it really leads. */
function foundOf(type: EventType, state: SessionState, role: Role): string {
  const world = worldIn(state);
  const fits = TABLE[type][1].split(" ").some((one) => one.split(">")[0] === state);
  if (fits) BEFORE[type]?.(world);
  const body = FITTING[type](world, role);
  const asking = { role, texts: TEXTS[type] ?? [] };
  const refusal = world.ask(type, body, asking);
  if (refusal) return refusal.rule;
  world.take(type, body, asking);
  return world.session.state;
}

test("the table of this test and the protocol list the same event types, in the same order", () => {
  expect(Object.keys(PROTOCOL)).toEqual(TYPES);
  expect(TYPES).toHaveLength(38);
});

verifies(
  ["002-6", "002-45"],
  "each event type is possible for exactly its roles, in exactly its states, and leads where the table says",
  () => {
    const wrong: string[] = [];
    for (const type of TYPES) {
      for (const state of STATES) {
        for (const role of ROLES) {
          const [expected, found] = [expectedOf(type, state, role), foundOf(type, state, role)];
          if (expected !== found)
            wrong.push(`${type} by ${role} in ${state}: expected ${expected}, found ${found}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  },
);
