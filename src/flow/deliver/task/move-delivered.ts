import { SwornError } from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";
import type { Refusal, ReviewPhase } from "../../../view/index.ts";
import type { Place } from "../../place.ts";
import { Recorder } from "../../recorder.ts";
import { type Author, RUNTIME } from "../../talk/bus.ts";
import type { Review } from "../../vote/read-reviews.ts";
import { moveReview } from "../../vote/settle-review.ts";
import type { Consensus } from "./delivered-work.ts";

const REASON_CHARS_MAX = 1_000;

/**
 * Says in the record of the votes that what they agreed on was handed over. Who delivers it a second
 * time finds it said. Undefined where nobody was asked to vote.
 */
export async function markSubmitted(
  place: Place,
  consensus: Consensus | null,
  where: string,
): Promise<ReviewPhase | undefined> {
  if (consensus === null) return undefined;
  const { trace, completion_id } = consensus.agreement;
  const recorder = Recorder.resume(place, trace);
  try {
    const phaseNow = () => recorder.session?.completions.get(completion_id)?.phase;
    if (phaseNow() === "CONSENSUS") {
      const reason = `It was delivered: ${where}`.slice(0, REASON_CHARS_MAX);
      await moveReview(recorder, RUNTIME, { completion_id, to: "submitted", reason });
    }
    // Another process may have been faster; what it did stands.
    return phaseNow();
  } finally {
    recorder.close();
  }
}

/** How a delivery ended, by the word of the one who takes it or by what the repository shows. */
export interface DeliveryEnd {
  readonly said?: "merged" | "rejected" | undefined;
  readonly why: string | undefined;
  /** The branch that it was to be merged into. */
  readonly into: string;
}

/** Where a review was moved, and why; null where there is nothing to say yet. */
export interface EndedReview {
  readonly completion_id: string;
  readonly trace: string;
  readonly moved: "merged" | "rejected" | null;
  readonly reason: string;
}

/**
 * Ends the review of something that was delivered. What a branch contains by now is merged: the commit
 * itself has to be there, because a copy of it could be of anything. Whatever else became of it, a
 * person says.
 */
export async function endReview(
  place: Place,
  repository: Repository,
  review: Review,
  person: Author,
  end: DeliveryEnd,
): Promise<EndedReview | Refusal> {
  const { trace, completion_id } = review;
  const known = { trace, completion_id };
  const seen = end.said === undefined && (await isMerged(repository, review, end.into));
  const to = end.said ?? (seen ? "merged" : undefined);
  if (to === undefined) return { ...known, moved: null, reason: `it is not in ${end.into}` };
  const reason = (end.why ?? `${end.into} contains it`).slice(0, REASON_CHARS_MAX);
  const recorder = Recorder.resume(place, trace);
  try {
    const by = end.said === undefined ? RUNTIME : person;
    const refusal = await moveReview(recorder, by, { completion_id, to, reason });
    return refusal ?? { ...known, moved: to, reason };
  } finally {
    recorder.close();
  }
}

async function isMerged(repository: Repository, { body }: Review, into: string): Promise<boolean> {
  const commit = /^git:([0-9a-f]{40,64})$/.exec(body.artifact)?.[1];
  if (commit === undefined) {
    const message = `${body.artifact} names no commit; say --merged or --rejected`;
    throw new SwornError("INPUT_INVALID", message);
  }
  return repository.isContained(commit, await repository.resolveCommit(into));
}
