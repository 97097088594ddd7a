import {
  type CompletionView,
  countedVotes,
  countVotes,
  quorumGaps,
  type Session,
  verdictOf,
} from "../../view/index.ts";
import type { SessionRules } from "./session-rules.ts";

/** The one thing that a session does next. Each leaves the record changed, waits, or is the last. */
export const SESSION_STEPS = [
  "plan",
  "review",
  "intend",
  "clear",
  "begin",
  "work",
  "verify",
  "claim",
  "challenge",
  "answer",
  "conclude",
  "audit-begin",
  "audit",
  "propose",
  "look-again",
  "vote",
  "decide",
  "disagree",
  "audit-end",
  "rework",
  "deliver",
  "fail",
  "end",
] as const;
export type SessionStep = (typeof SESSION_STEPS)[number];

/** What is known of a session beside what the record's own rules need. */
export interface Known {
  readonly rules: SessionRules;
  /** The subtasks of the plan that was agreed on, by the names that the record gives them. */
  readonly subtasks: readonly string[];
  /** The proposals that stand for them; those of earlier plans are superseded. */
  readonly proposals: readonly string[];
  /** Whether somebody may be asked for another plan. */
  readonly mayReplan: boolean;
  /** How the work of this round ended; undefined before it has. */
  readonly workStatus: string | undefined;
  /** What the auditor said in this round; undefined before it has. */
  readonly auditVerdict: "pass" | "fail" | undefined;
  /** Those who are asked for a vote, the runtime's own check included. */
  readonly voters: readonly string[];
  readonly isDelivered: boolean;
}

/** Names of this round: what a rework does again has a name of its own. */
export const inRound = (name: string, round: number) => `${name}.r${round}`;
/** The execution in which the offline verifier reads the record of the work. */
export const VERIFY = "verify";
/** The claim about all of it. */
export const WHOLE = "work";

/** What has to happen next: nothing but the record and what it names decides. */
export function nextStep(session: Session, known: Known): SessionStep {
  switch (session.state) {
    case "initialized":
    case "planning":
      return "plan";
    case "reviewing":
    case "executing":
      return whileWorking(session, known);
    case "claiming":
      return whileClaiming(session, known);
    case "auditing":
      return whileAuditing(session, known);
    case "completed":
      return known.isDelivered ? "end" : "deliver";
    default:
      return "end";
  }
}

function whileWorking(session: Session, known: Known): SessionStep {
  const { subtasks, workStatus } = known;
  const standing = known.proposals.map((name) => session.proposals.get(name)?.status);
  // A plan stands or falls as one: what is left of a rejected one is not reviewed any more.
  if (standing.includes("rejected")) return known.mayReplan ? "plan" : "fail";
  if (standing.includes("proposed")) return "review";
  const named = [...subtasks, VERIFY].map((one) => inRound(one, session.reworkRounds));
  const intents = named.map((name) => session.intents.get(name));
  if (intents.some((intent) => intent === undefined)) return "intend";
  if (intents.some((intent) => intent?.review === "pending" && intent.execution === undefined)) {
    return "clear";
  }
  if (intents.some((intent) => intent?.review === "blocked")) return "fail";
  if (intents.slice(0, -1).some((intent) => intent?.execution === undefined)) return "begin";
  return workStatus === undefined ? "work" : "verify";
}

function whileClaiming(session: Session, known: Known): SessionStep {
  const { reworkRounds: round, artifactNames, tally, claims } = session;
  const isDone = known.workStatus === "completed" || known.workStatus === "completed-with-gaps";
  if (!isDone) return "fail";
  if (!claims.has(inRound(WHOLE, round))) return "claim";
  if (!artifactNames.has(inRound("challenges", round))) return "challenge";
  if (tally.openChallenges.size > 0) return "answer";
  // With a claim that fell there is nothing whole to state: the audit can only fail.
  if (isStruck(session, round)) return "audit-begin";
  return session.redSubjects.size > 0 ? whileRed(session, known) : "conclude";
}

/**
 * A red vote is about bytes: other bytes have to be proposed in their place before anything is stated.
 * Where they are the same, whoever voted red looks again, and a red that stays sends it back once more.
 */
function whileRed(session: Session, { rules, voters }: Known): SessionStep {
  const found = completionOf(session, session.reworkRounds);
  if (found === undefined) return "propose";
  const [, { phase, subject, votes }] = found;
  if (phase === "DRAFT") return rules.undoneStops ? "propose" : "audit-begin";
  const reds = session.subjects.get(subject)?.reds ?? new Set();
  const isAsked = voters.some((voter) => reds.has(voter) && !votes.has(voter));
  return isAsked ? "look-again" : "audit-begin";
}

/** Whether a claim of this round, or what it was narrowed to, was struck. */
function isStruck({ claims }: Session, round: number): boolean {
  const suffix = inRound("", round);
  return [...claims].some(
    ([id, { status }]) =>
      status === "struck" && (id.endsWith(suffix) || id.endsWith(`${suffix}.narrowed`)),
  );
}

function whileAuditing(session: Session, known: Known): SessionStep {
  if (session.auditFailedAt !== undefined) return "rework";
  if (session.verification === undefined) return "audit-begin";
  if (known.auditVerdict === undefined) return "audit";
  if (known.auditVerdict === "fail") return "audit-end";
  const completion = completionOf(session, session.reworkRounds);
  if (completion === undefined) return "propose";
  return whileVoting(session, completion[1], known);
}

function whileVoting(
  session: Session,
  completion: CompletionView,
  { rules, voters }: Known,
): SessionStep {
  const { phase, votes, isConverged } = completion;
  if (phase === "DRAFT") return rules.undoneStops ? "propose" : "audit-end";
  if (phase !== "REVIEW") return "audit-end";
  if (voters.some((voter) => !votes.has(voter))) return "vote";
  if (!rules.isVoted) return "audit-end";
  const isQuorum = quorumGaps(countedVotes(session, completion)).length === 0;
  // Without enough votes people are asked for; with them, and no agreement, all vote once more.
  if (!isQuorum) return "vote";
  const { artifactNames, reworkRounds } = session;
  const has = (name: string) => artifactNames.has(inRound(name, reworkRounds));
  if (isConverged && !has("voted-again")) return "vote";
  if (!isConverged || has("disagreement")) return "audit-end";
  return passesByDecision(session, completion) ? "decide" : "disagree";
}

/** Whether the votes pass as soon as somebody decides that they do. */
function passesByDecision(session: Session, completion: CompletionView): boolean {
  const reds = session.subjects.get(completion.subject)?.reds.size ?? 0;
  const verdict = verdictOf(countVotes(countedVotes(session, completion)));
  return reds === 0 && verdict === "pass-with-decision";
}

/** The completion that was proposed in a round: after its work had ended. */
export function completionOf(
  session: Session,
  round: number,
): [string, CompletionView] | undefined {
  const report = session.artifactNames.get(inRound("work-report", round)) ?? "";
  const since = session.artifacts.get(report)?.seq ?? Number.POSITIVE_INFINITY;
  return [...session.completions].findLast(
    ([, { seq, revisedBy }]) => seq > since && revisedBy === undefined,
  );
}
