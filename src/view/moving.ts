import type { Parent } from "../schema/index.ts";
import { link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { CompletionView, Event, ReviewPhase, Session } from "./session.ts";
import { countVotes, quorumGaps, type VoteCounts, verdictOf } from "./vote-table.ts";
import { checkCurrent, countedVotes, decisionBehind } from "./voting.ts";

type Move = Event<"review_moved">;
type To = Move["body"]["to"];

/** From where a review gets where. */
const FROM: Readonly<Record<To, readonly ReviewPhase[]>> = {
  converge: ["REVIEW"],
  disagreement: ["REVIEW"],
  consensus: ["REVIEW"],
  submitted: ["CONSENSUS"],
  merged: ["SUBMITTED"],
  rejected: ["REVIEW", "CONSENSUS", "SUBMITTED"],
};
const PHASES: Readonly<Partial<Record<To, ReviewPhase>>> = {
  consensus: "CONSENSUS",
  submitted: "SUBMITTED",
  merged: "MERGED",
  rejected: "REJECTED",
};
/** What can still become of a review when its session is over. */
const LATE: readonly To[] = ["submitted", "merged", "rejected"];
/** As many decide in place of an absent owner: one for the domain and one for quality. */
const DUO = 2;

export function checkMove(session: Session, event: Move): Refusal | undefined {
  const { body } = event;
  const completion = session.completions.get(body.completion_id);
  return firstRefusal(
    () => checkCurrent(session, body),
    () => decisionBehind(session, body.decision_id, completion),
    session.state === "completed" &&
      !LATE.includes(body.to) &&
      refuse("STATE_GUARD", `a review is not moved to ${body.to} after its session`),
    completion !== undefined &&
      !FROM[body.to].includes(completion.phase) &&
      refuse("ORDER_GUARD", `${body.to} follows ${FROM[body.to]}, not ${completion.phase}`),
    () => (completion ? (CHECKS[body.to]?.(session, event, completion) ?? undefined) : undefined),
  );
}

type Check = (session: Session, event: Move, completion: CompletionView) => Refusal | undefined;

const CHECKS: Readonly<Partial<Record<To, Check>>> = {
  converge: (_, { body }, { isConverged, votes }) =>
    firstRefusal(
      votes.size === 0 && refuse("ORDER_GUARD", `nobody has voted on ${body.completion_id} yet`),
      isConverged &&
        refuse("LIMIT_GUARD", "reviewers vote again once; record the disagreement instead"),
    ),
  disagreement: (_, { body }, { isConverged }) =>
    firstRefusal(
      !isConverged && refuse("ORDER_GUARD", "reviewers have not been asked to vote again yet"),
      body.decision_id === undefined &&
        refuse("ORDER_GUARD", "a disagreement is recorded with the decision about it"),
    ),
  consensus: checkConsensus,
};

/** Whether the votes are enough, and say yes. */
function checkConsensus(
  session: Session,
  event: Move,
  completion: CompletionView,
): Refusal | undefined {
  const votes = countedVotes(session, completion);
  const reds = session.subjects.get(completion.subject)?.reds ?? new Set();
  const missing = quorumGaps(votes, event.body.by_duo ? DUO : undefined);
  return firstRefusal(
    reds.size > 0 && not(`the red vote of ${[...reds].join(", ")} stands`),
    missing.length > 0 && not(`there is no quorum: ${missing.join(", ")} needed`),
    () => checkCounts(countVotes(votes), event, completion),
  );
}

/** What the votes say, by the table in {@link verdictOf}. */
function checkCounts(
  counts: VoteCounts,
  { body, actor }: Move,
  completion: CompletionView,
): Refusal | undefined {
  const isDecided = body.decision_id !== undefined;
  const words = `${counts.green} green, ${counts.yellow} yellow`;
  if (body.by_duo) {
    return isDecided && counts.yellow === 0
      ? undefined
      : not(`in place of the owner, all are green and a decision says why (${words})`);
  }
  const verdict = verdictOf(counts);
  if (verdict === "pass") return undefined;
  if (verdict === "pass-with-decision") {
    return isDecided ? undefined : not(`${words} pass only with a recorded decision`);
  }
  // Doubts that stay after all have voted again: a person may bear them, on the record.
  const isBorne = completion.isConverged && isDecided && actor.role === "operator";
  return isBorne ? undefined : not(`${words} do not pass`);
}

function not(reason: string): Refusal {
  return refuse("FINALIZATION_GUARD", reason);
}

export function applyMove(session: Session, { body }: Move): void {
  const completion = session.completions.get(body.completion_id);
  if (!completion) return;
  if (body.to === "converge") completion.isConverged = true;
  completion.phase = PHASES[body.to] ?? completion.phase;
}

export function moveLinks(session: Session, { body }: Move): Parent[] {
  return [
    ...link("reviews", session.completions.get(body.completion_id)),
    ...link("rests-on", session.decisions.get(body.decision_id ?? "")),
  ];
}
