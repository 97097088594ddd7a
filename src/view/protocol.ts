import { type EventType, type Parent, ROLES, type Role } from "../schema/index.ts";
import * as audit from "./auditing.ts";
import * as claim from "./claiming.ts";
import * as work from "./execution.ts";
import * as final from "./finalizing.ts";
import * as lead from "./leading.ts";
import * as move from "./moving.ts";
import * as plan from "./planning.ts";
import type { Refusal } from "./refusal.ts";
import * as runs from "./running.ts";
import { type Event, FINAL_STATES, type Session, type SessionState, STATES } from "./session.ts";
import * as talk from "./talking.ts";
import * as keep from "./upkeep.ts";
import * as vote from "./voting.ts";

/** What one event type may do: who emits it, in which states, what it requires, where it leads. */
export interface Row<T extends EventType> {
  readonly by: readonly Role[];
  readonly in: readonly SessionState[];
  /** What must hold beyond role and state. */
  readonly requires?: (session: Session, event: Event<T>) => Refusal | undefined;
  /** What later rules need to remember of it. */
  readonly remembers?: (session: Session, event: Event<T>) => void;
  /** The earlier entries it is about. */
  readonly links?: (session: Session, event: Event<T>) => Parent[];
  /** The next state; absent means it does not move the session. Asked after `remembers`. */
  readonly to?: SessionState | ((session: Session, event: Event<T>) => SessionState);
}

const OPEN = STATES.filter((state) => state !== "initialized" && !FINAL_STATES.includes(state));
/** After the final statement the working roles have had their say until the audit is done. */
const WORKING = OPEN.filter((state) => state !== "auditing");
const afterExecution = (session: Session): SessionState =>
  work.isExecutionSettled(session) ? "claiming" : "executing";
const about = plan.link;

/** The whole protocol: one row per event type, in the order a session meets them. */
export const PROTOCOL: { readonly [T in EventType]: Row<T> } = {
  session_initialized: {
    by: ["planner"],
    in: ["initialized"],
    requires: plan.checkInitialization,
    remembers: plan.applyInitialization,
    to: "planning",
  },
  proposal_created: {
    by: ["planner"],
    in: ["planning", "reviewing", "executing", "claiming"],
    requires: plan.checkProposal,
    remembers: plan.applyProposal,
    links: plan.proposalLinks,
    to: ({ state }) => (state === "planning" ? "reviewing" : state),
  },
  proposal_reviewed: {
    by: ["critic"],
    in: ["reviewing", "executing", "claiming"],
    requires: plan.checkProposalReview,
    remembers: plan.applyProposalReview,
    links: (session, { body }) => about("reviews", session.proposals.get(body.proposal_id)),
    to: ({ state }, { body }) =>
      state === "reviewing" && body.proposal_status !== "rejected" ? "executing" : state,
  },
  tool_intent_signed: {
    by: ["executor"],
    in: ["executing", "claiming"],
    requires: work.checkIntent,
    remembers: work.applyIntent,
    links: work.intentLinks,
    to: "executing",
  },
  intent_reviewed: {
    by: ["critic"],
    in: ["executing"],
    requires: work.checkIntentReview,
    remembers: work.applyIntentReview,
    links: (session, { body }) => about("reviews", session.intents.get(body.intent_id)),
    to: afterExecution,
  },
  tool_execution_started: {
    by: ["executor"],
    in: ["executing"],
    requires: work.checkStart,
    remembers: work.applyStart,
    links: (session, { body }) => about("executes", session.intents.get(body.intent_id)),
  },
  tool_execution_completed: {
    by: ["executor"],
    in: ["executing"],
    requires: work.checkFinish,
    remembers: work.applyFinish,
    links: (session, { body }) => about("finishes", session.executions.get(body.execution_id)),
    to: afterExecution,
  },
  tool_execution_failed: {
    by: ["executor"],
    in: ["executing"],
    requires: work.checkFinish,
    remembers: work.applyFinish,
    links: (session, { body }) => about("finishes", session.executions.get(body.execution_id)),
    to: afterExecution,
  },
  artifact_recorded: {
    by: ["executor"],
    in: ["executing", "claiming"],
    requires: work.checkArtifactRecord,
    remembers: (session, { actor }) => session.authors.add(actor.agent),
    links: (session, { body }) =>
      about("supports", session.executions.get(body.execution_id ?? "")),
  },
  claim_issued: {
    by: ["executor"],
    in: ["claiming"],
    requires: claim.checkClaim,
    remembers: claim.applyClaim,
    links: claim.claimLinks,
  },
  claim_challenged: {
    by: ["critic"],
    in: ["claiming"],
    requires: claim.checkChallenge,
    remembers: claim.applyChallenge,
    links: (session, { body }) => about("challenges", session.claims.get(body.claim_id)),
  },
  challenge_resolved: {
    by: ["critic"],
    in: ["claiming"],
    requires: claim.checkResolution,
    remembers: claim.applyResolution,
    links: (session, { body }) => about("resolves", session.challenges.get(body.challenge_id)),
  },
  finding_checked: {
    by: ["critic"],
    in: ["claiming"],
    requires: claim.checkFindingCheck,
    remembers: claim.applyFindingCheck,
    links: (session, { body }) => about("reviews", session.claims.get(body.claim_id)),
  },
  final_statement_signed: {
    by: ["executor", "planner"],
    in: ["claiming"],
    requires: final.checkFinalStatement,
    remembers: final.applyFinalStatement,
    links: final.finalLinks,
    to: "auditing",
  },
  verification_run_started: {
    by: ["auditor"],
    in: ["claiming", "auditing"],
    requires: audit.checkVerificationStart,
    remembers: audit.applyVerificationStart,
    to: "auditing",
  },
  verification_run_completed: {
    by: ["auditor"],
    in: ["auditing"],
    requires: audit.checkVerificationEnd,
    links: (session) => about("verifies", session.verification),
    remembers: audit.applyVerificationEnd,
    to: audit.stateAfterVerification,
  },
  rework_opened: {
    by: ["auditor", "operator"],
    in: ["auditing"],
    requires: audit.checkRework,
    links: (session) =>
      about(
        "reopens",
        session.auditFailedAt === undefined ? undefined : { seq: session.auditFailedAt },
      ),
    remembers: audit.applyRework,
    to: "executing",
  },
  completion_proposed: {
    by: ["planner", "executor", "operator", "runtime"],
    in: OPEN,
    requires: vote.checkCompletion,
    remembers: vote.applyCompletion,
    links: vote.completionLinks,
  },
  vote_cast: {
    by: ["critic", "auditor", "operator", "runtime"],
    in: OPEN,
    requires: vote.checkVote,
    remembers: vote.applyVote,
    links: vote.voteLinks,
  },
  review_moved: {
    by: ["planner", "operator", "runtime"],
    in: [...OPEN, "completed"],
    requires: move.checkMove,
    remembers: move.applyMove,
    links: move.moveLinks,
  },
  session_failed: { by: ["auditor", "operator", "runtime"], in: OPEN, to: "failed" },
  session_aborted: { by: ["operator"], in: OPEN, to: "aborted" },
  agent_enrolled: {
    by: ["operator", "runtime"],
    in: OPEN,
    requires: runs.checkEnrolment,
    remembers: runs.applyEnrolment,
  },
  run_started: {
    by: ["runtime"],
    in: OPEN,
    requires: runs.checkRunStart,
    remembers: runs.applyRunStart,
    links: runs.runLinks,
  },
  run_completed: {
    by: ["runtime"],
    in: OPEN,
    requires: runs.checkRunEnd,
    remembers: runs.applyRunEnd,
    links: (session, { body }) => about("finishes", session.runs.get(body.run_id)),
  },
  beat_opened: {
    by: ["runtime"],
    in: OPEN,
    requires: lead.checkBeat,
    remembers: lead.applyBeat,
  },
  status_claimed: {
    by: ["runtime"],
    in: OPEN,
    requires: lead.checkStatus,
    remembers: lead.applyStatus,
  },
  lease_taken: {
    by: ["runtime"],
    in: OPEN,
    requires: lead.checkLease,
    remembers: lead.applyLease,
  },
  lease_ended: {
    by: ["runtime"],
    in: OPEN,
    requires: lead.checkLeaseEnd,
    remembers: lead.applyLeaseEnd,
  },
  message_posted: {
    by: ROLES,
    in: OPEN,
    requires: talk.checkMessage,
    links: talk.messageLinks,
  },
  question_asked: {
    by: ROLES,
    in: WORKING,
    requires: talk.checkQuestion,
    remembers: talk.applyQuestion,
  },
  question_answered: {
    by: ROLES,
    in: WORKING,
    requires: talk.checkAnswer,
    links: (session, { body }) => about("answers", session.questions.get(body.question_id)),
    remembers: talk.applyAnswer,
  },
  fact_recorded: {
    by: ROLES,
    in: OPEN,
    requires: talk.checkFact,
    remembers: (session, { body }) => session.facts.add(body.fact_id),
  },
  decision_recorded: {
    by: ROLES,
    in: OPEN,
    requires: keep.checkDecision,
    remembers: keep.applyDecision,
  },
  exception_recorded: {
    by: ["operator"],
    in: OPEN,
    requires: keep.checkException,
    remembers: (session, { body }) => session.records.add(body.exception_id),
  },
  key_rotated: { by: ROLES, in: OPEN, requires: keep.checkRotation, remembers: keep.applyRotation },
  key_revoked: {
    by: ROLES,
    in: OPEN,
    requires: keep.checkRevocation,
    remembers: keep.applyRevocation,
  },
  gap_recorded: {
    by: ["operator", "runtime"],
    in: STATES.filter((state) => state !== "initialized"),
    remembers: (session, { seq }) => session.gaps.push(seq),
  },
};
