import type { ReviewPhase, VoteCounts, VoteVerdict } from "../view/index.ts";

/** So many beats may pass without a quorum before something is done about it. */
const QUORUM_BEATS = 4;

/** What is known of a review when it is asked how it goes on. */
export interface ReviewSituation {
  readonly phase: ReviewPhase;
  readonly counts: VoteCounts;
  readonly verdict: VoteVerdict;
  /** What is missing to a quorum. */
  readonly gaps: readonly string[];
  readonly isConverged: boolean;
  /** Beats since it was proposed; undefined where nobody counts them. */
  readonly beats?: number | undefined;
  /** The project's own patience. */
  readonly beatsMax?: number | undefined;
}

/** What a review waits for. */
export type NextStep =
  | "finish"
  | "wait"
  | "add-reviewers"
  | "narrow-scope"
  | "escalate"
  | "agree"
  | "converge"
  | "decide"
  | "fix"
  | "deliver"
  | "merge"
  | "nothing";

/**
 * How a review goes on. Without a quorum in time more reviewers are asked, then the scope is made
 * narrower; where both seats have spoken and agree and a third never comes, the two may decide.
 */
export function nextStep(review: ReviewSituation): NextStep {
  if (review.phase === "DRAFT") return "finish";
  if (review.phase === "CONSENSUS") return "deliver";
  if (review.phase === "SUBMITTED") return "merge";
  if (review.phase !== "REVIEW") return "nothing";
  if (review.gaps.length > 0) return withoutQuorum(review);
  if (review.verdict === "pass") return "agree";
  if (!review.isConverged) return "converge";
  return review.verdict === "blocked" ? "fix" : "decide";
}

function withoutQuorum({ counts, gaps, beats = 0, beatsMax = QUORUM_BEATS }: ReviewSituation) {
  if (counts.red > 0) return "fix";
  if (beats < beatsMax) return "wait";
  const isDuo = counts.green === 2 && counts.yellow === 0 && gaps.length === 1;
  const seatsMissing = gaps.some((gap) => gap.startsWith("a "));
  if (isDuo && !seatsMissing) return "escalate";
  return beats < 2 * beatsMax ? "add-reviewers" : "narrow-scope";
}

/** The step in words. */
export const STEP_WORDS: Readonly<Record<NextStep, string>> = {
  finish: "finish what is not done, or have somebody else decide that it can wait",
  wait: "wait for votes",
  "add-reviewers": "nobody made a quorum in time: ask more reviewers",
  "narrow-scope": "nobody made a quorum in time, twice: propose less at once",
  escalate: 'the owner stays away: "sworn decide" lets the domain and the quality reviewer decide',
  agree: "the votes pass",
  converge: "reviewers are asked to vote once more",
  decide: 'the doubts stay: "sworn decide" says what becomes of them',
  fix: "a red vote stands: fix it and propose it again, or have its voter look again",
  deliver: "deliver it",
  merge: 'merge it or turn it down; "sworn settle" then looks, and with --ask asks the forge',
  nothing: "it is over",
};
