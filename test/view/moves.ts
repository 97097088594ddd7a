import fc from "fast-check";
import { sha256Hex } from "../../src/base/index.ts";
import type { EventType, Role } from "../../src/schema/index.ts";
import type { Session } from "../../src/view/index.ts";
import { possibleNext } from "../../src/view/index.ts";
import { HOLDERS } from "./world.ts";

/** Something an agent might try, sensible or not. Its body serves as a request and as an event. */
export interface Move {
  readonly role: Role;
  readonly agent: string;
  readonly type: EventType;
  readonly body: object;
  readonly texts: readonly string[];
}

/** Random numbers from which a move is made once the session is known. */
export type Dice = readonly number[];
export const arbitraryDice: fc.Arbitrary<Dice[]> = fc.array(
  fc.array(fc.nat({ max: 1_000 }), { minLength: 8, maxLength: 8 }),
  { minLength: 20, maxLength: 90 },
);

/** Who usually does what; one move in twelve is made by somebody else. */
const USUAL: Record<EventType, Role> = {
  session_initialized: "planner",
  proposal_created: "planner",
  proposal_reviewed: "critic",
  tool_intent_signed: "executor",
  intent_reviewed: "critic",
  tool_execution_started: "executor",
  tool_execution_completed: "executor",
  tool_execution_failed: "executor",
  artifact_recorded: "executor",
  claim_issued: "executor",
  claim_challenged: "critic",
  challenge_resolved: "critic",
  finding_checked: "critic",
  final_statement_signed: "executor",
  verification_run_started: "auditor",
  verification_run_completed: "auditor",
  rework_opened: "auditor",
  completion_proposed: "executor",
  vote_cast: "critic",
  review_moved: "runtime",
  session_failed: "operator",
  session_aborted: "operator",
  agent_enrolled: "operator",
  run_started: "runtime",
  run_completed: "runtime",
  beat_opened: "runtime",
  status_claimed: "runtime",
  lease_taken: "runtime",
  lease_ended: "runtime",
  message_posted: "runtime",
  question_asked: "planner",
  question_answered: "operator",
  fact_recorded: "planner",
  decision_recorded: "planner",
  exception_recorded: "operator",
  key_rotated: "operator",
  key_revoked: "operator",
  gap_recorded: "operator",
};
const TYPES = Object.keys(USUAL) as EventType[];
const ROLES = Object.keys(HOLDERS) as Role[];
/** Rare on purpose: most sessions should get far. */
const RARE: Partial<Record<EventType, number>> = {
  session_failed: 25,
  session_aborted: 25,
  finding_checked: 3,
  key_rotated: 15,
  key_revoked: 40,
  agent_enrolled: 15,
  run_started: 8,
  run_completed: 8,
  completion_proposed: 12,
  vote_cast: 40,
  review_moved: 40,
  beat_opened: 7,
  status_claimed: 25,
  lease_taken: 25,
  lease_ended: 8,
  fact_recorded: 15,
  message_posted: 8,
  question_asked: 8,
  question_answered: 8,
  decision_recorded: 8,
  exception_recorded: 8,
  gap_recorded: 8,
  intent_reviewed: 2,
  proposal_created: 2,
};
const TEXTS = ["alpha", "beta", "gamma", "delta"];

/** One throw of the dice becomes one move: mostly something the state allows, by who usually does it. */
export function toMove(session: Session, dice: Dice, left: readonly EventType[] = []): Move {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = dice;
  const pick = <T>(list: readonly T[], number: number): T | undefined =>
    list[number % Math.max(1, list.length)];
  const possible = possibleNext(session).filter(
    (type) => !left.includes(type) && b % rarityOf(session, type) === 0,
  );
  const type =
    (a % 10 === 0
      ? pick(
          TYPES.filter((one) => !left.includes(one)),
          c,
        )
      : pick(possible, c)) ?? "message_posted";
  const role = d % 12 === 0 ? (pick(ROLES, e) ?? "planner") : USUAL[type];
  const agent = f % 15 === 0 ? (pick(Object.values(HOLDERS), g) ?? "ada") : HOLDERS[role];
  const texts = needsText(type) || h % 4 === 0 ? [pick(TEXTS, g) ?? "alpha"] : [];
  return { role, agent, type, body: bodyOf(session, type, dice), texts };
}

/** Work that is begun should also end, or no session would ever be audited. */
function rarityOf(session: Session, type: EventType): number {
  if (type === "tool_intent_signed" && (session.openIntents > 0 || session.state === "claiming"))
    return 5;
  if (type === "verification_run_started" && session.state === "claiming") return 9;
  const isProposed = session.completions.size > 0;
  if (isProposed && (type === "vote_cast" || type === "review_moved")) return 5;
  if (type === "lease_ended" && session.cadence.lease?.isStanding) return 2;
  return RARE[type] ?? 1;
}

function needsText(type: EventType): boolean {
  return [
    "tool_intent_signed",
    "tool_execution_completed",
    "artifact_recorded",
    "completion_proposed",
  ].includes(type);
}

/** Mostly a name that is there, sometimes a new one. */
function known(names: Iterable<string>, number: number, fallback: string): string {
  const list = [...names];
  return number % 8 === 0 ? fallback : (list[number % Math.max(1, list.length)] ?? fallback);
}

/** Proposals, votes and moves that are about what is there; the document is one of the texts. */
function votingBodies(session: Session, dice: Dice): Partial<Record<EventType, object>> {
  const [, , , , e = 0, f = 0, g = 0, h = 0] = dice;
  const fresh = `n${e % 40}`;
  const id = known([...session.completions.keys()].reverse(), f, fresh);
  const digest = session.completions.get(id)?.digest ?? sha256Hex("alpha");
  const decision = known(session.decisions.keys(), g, fresh);
  const vote = ["green", "green", "yellow", "red"][h % 4];
  const isStanding = session.completions.get(id)?.votes.has("cleo");
  return {
    completion_proposed: {
      completion_id: fresh,
      artifact: "a",
      subject: sha256Hex(TEXTS[e % 2] ?? ""),
      digest: sha256Hex(TEXTS[g % TEXTS.length] ?? ""),
      authors: [{ agent: "eli" }],
      undone: h % 7 === 0 ? ["tests"] : [],
      ...(h % 3 === 0 ? { revises: id } : {}),
      ...(h % 5 === 0 ? { deferred: [{ item: "docs", decision_id: decision }] } : {}),
    },
    vote_cast: {
      completion_id: id,
      digest,
      vote,
      focus: ["f"],
      rationale: "r",
      anchors: [{ place: "a.js:1" }],
      ...(vote === "yellow" ? { mitigations: [{ action: "a", owner: "o", deadline: "d" }] } : {}),
      ...(vote === "red" ? { fix: "f" } : {}),
      ...(isStanding && g % 3 > 0 ? { replaces: true } : {}),
    },
    review_moved: {
      completion_id: id,
      digest,
      to: ["consensus", "converge", "disagreement", "submitted", "merged", "rejected"][h % 6],
      reason: "r",
      ...(g % 3 === 0 ? { decision_id: decision } : {}),
      ...(g % 5 === 0 ? { by_duo: true } : {}),
    },
    status_claimed: {
      agent_id: known(session.agents.keys(), g, fresh),
      beat_index: h % 20,
      state: "idle",
    },
    beat_opened: {
      beat_index: (session.cadence.beat?.beat_index ?? 0) + (h % 6 === 0 ? 0 : 1 + (h % 3)),
      phase: ["plan", "work", "review", "deliver"][h % 4],
      cluster_id: g % 9 === 0 ? "other" : "local",
      window_id: "0".repeat(32),
      downbeat: h % 2 === 0,
      beat_ms: 1_000,
      deadline_at: "2030-01-01T00:00:00.000Z",
    },
    lease_taken: {
      number: (session.cadence.lease?.number ?? 0) + (h % 5 === 0 ? 2 : 1),
      holder: g % 2 === 0 ? fresh : "r1",
      until_beat: (session.cadence.beat?.beat_index ?? 0) + (h % 4),
    },
    lease_ended: { number: (session.cadence.lease?.number ?? 0) + (h % 5 === 0 ? 1 : 0) },
  };
}

function bodyOf(session: Session, type: EventType, dice: Dice): object {
  const [, , , , e = 0, f = 0, g = 0, h = 0] = dice;
  const fresh = `n${e % 40}`;
  const hash = (number: number) => sha256Hex(TEXTS[number % TEXTS.length] ?? "");
  const proposal = known(session.proposals.keys(), f, fresh);
  const intent = known([...session.intents.keys()].reverse(), f, fresh);
  const running = [...session.executions].filter(([, { status }]) => status === "running");
  const execution = known(
    running.map(([id]) => id),
    g,
    known(session.executions.keys(), f, fresh),
  );
  const standing = [...session.claims].filter(([, { status }]) => status === "standing");
  const claim = known(
    standing.map(([id]) => id),
    g,
    fresh,
  );
  const bodies: Partial<Record<EventType, object>> = {
    proposal_created: {
      proposal_id: fresh,
      units: [
        { objective: "o", assumptions: [], required_tools: ["edit"], expected_evidence: ["e"] },
      ],
      ...(h % 3 === 0 ? { revises: proposal } : {}),
      ...(h % 5 === 0 ? { fallback_for: execution } : {}),
    },
    proposal_reviewed: {
      proposal_id: proposal,
      proposal_status: ["approved", "approved", "conditional", "rejected"][h % 4],
      risk_assessment: "r",
      rationale: "r",
      ...(h % 4 === 2 ? { conditions: ["c"] } : {}),
    },
    tool_intent_signed: {
      intent_id: fresh,
      proposal_id: proposal,
      tool_name: h % 9 === 0 ? "rm" : "edit",
      normalized_input_hash: hash(g),
      risk_class: ["low", "low", "high"][h % 3],
      justification: "j",
      ...(e % 4 === 0 ? { retry_of: intent } : {}),
    },
    intent_reviewed: {
      intent_id: intent,
      intent_status: h % 2 === 0 ? "approved" : "blocked",
      rationale: "r",
    },
    tool_execution_started: { execution_id: fresh, intent_id: intent },
    tool_execution_completed: { execution_id: execution, exit_status: 0 },
    tool_execution_failed: {
      execution_id: execution,
      failure: "f",
      handling: ["accept", "accept", "retry", "fallback"][h % 4],
    },
    artifact_recorded: { description: "d", ...(h % 2 === 0 ? { execution_id: execution } : {}) },
    claim_issued: {
      claim_id: fresh,
      claim_text: "t",
      confidence: 50,
      evidence: [hash(g), hash(h)],
      execution_ids: [known(session.executions.keys(), f, fresh)],
      ...(h % 3 === 0 ? { revises: claim } : {}),
      ...(h % 2 === 0 ? { meets: [{ proposal_id: proposal, condition: 0 }] } : {}),
    },
    claim_challenged: { challenge_id: fresh, claim_id: claim, reason: "r" },
    challenge_resolved: {
      challenge_id: known(session.challenges.keys(), g, fresh),
      resolution: ["withdrawn", "upheld", "revised"][h % 3],
      rationale: "r",
    },
    finding_checked: {
      claim_id: claim,
      finding_id: "F1",
      verdict: h % 20 === 0 ? "HALLUCINATED" : "CONFIRMED",
      identity: hash(g),
      place: "a.js:1",
      reason: "r",
    },
    final_statement_signed: {
      consolidated_claim_ids:
        h % 9 === 0 || standing.length === 0 ? [claim] : standing.map(([id]) => id),
      final_verdict_text: "t",
    },
    verification_run_started: { verification_id: fresh },
    verification_run_completed: {
      verification_id: session.verification?.id ?? fresh,
      status: ["pass", "pass-with-warnings", "fail"][h % 3],
    },
    rework_opened: { round: 1 + (h % 4 === 0 ? h % 3 : session.reworkRounds), reasons: ["r"] },
    agent_enrolled: { agent: fresh, roles: [["executor"], ["critic"], ["operator"]][h % 3] },
    run_started: {
      run_id: fresh,
      agent: known(session.agents.keys(), g, fresh),
      depth: h % 3,
      ...(h % 3 > 0 ? { parent_run_id: known(session.runs.keys(), f, fresh) } : {}),
      ...(h % 5 === 0 ? { previous_run_id: known(session.runs.keys(), g, fresh) } : {}),
    },
    run_completed: {
      run_id: known(session.runs.keys(), g, fresh),
      status: ["completed", "failed", "partial"][h % 3],
      exit_code: f % 2,
    },
    ...votingBodies(session, dice),
    fact_recorded: {
      fact_id: fresh,
      scope: h % 2 === 0 ? "task" : "project",
      title: "t",
      text: "t",
    },
    question_asked: {
      question_id: fresh,
      text: "t",
      default: "d",
      ...(h % 2 === 0 ? { to: ["eli"], deadline: "2030-01-01T00:00:00.000Z" } : {}),
    },
    question_answered: {
      question_id: known(session.questions.keys(), g, fresh),
      answer: h % 4 === 0 ? "d" : "a",
      ...(h % 4 === 0 ? { by_default: true } : {}),
    },
    decision_recorded: { decision_id: fresh, context: "c", options: ["o"], choice: "o" },
    exception_recorded: {
      exception_id: fresh,
      rule: "r",
      reason: "r",
      requester: known(session.agents.keys(), g, fresh),
      owner: "mara",
      expires_at: "2030-01-01T00:00:00.000Z",
      rollback: "r",
    },
    gap_recorded: { reason: "r", lost_size: 1, lost_checkpoint: "c" },
    message_posted: {
      text: "t",
      ...(h % 3 === 0 ? { kind: ["INFO", "START", "USER", "FACT"][g % 4] } : {}),
      ...(h % 2 === 0 ? { parents: [{ id: `MSG-${f % 60}`, kind: "reply" }] } : {}),
    },
  };
  return bodies[type] ?? { reason: "r" };
}
