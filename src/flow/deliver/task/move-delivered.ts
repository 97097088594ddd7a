import type { Refusal, ReviewPhase } from "../../../view/index.ts";
import type { Place } from "../../place.ts";
import { Recorder } from "../../record/recorder.ts";
import { type Author, RUNTIME } from "../../talk/bus.ts";
import type { Review } from "../../vote/read-reviews.ts";
import { moveReview } from "../../vote/settle-review.ts";
import type { Consensus } from "./delivered-work.ts";

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
      const reason = `It was delivered: ${where}`;
      await moveReview(recorder, RUNTIME, { completion_id, to: "submitted", reason });
    }
    // Another process may have been faster; what it did stands.
    return phaseNow();
  } finally {
    recorder.close();
  }
}

/** How a delivery ended, by the word of the one who takes it or by what somebody looked at. */
export interface DeliveryEnd {
  /** Undefined where there is nothing to say yet. */
  readonly to: "merged" | "rejected" | undefined;
  readonly reason: string;
}

/** Where a review was moved, and why; null where there is nothing to say yet. */
export interface EndedReview {
  readonly completion_id: string;
  readonly trace: string;
  readonly moved: "merged" | "rejected" | null;
  readonly reason: string;
}

/** Ends the review of something that was delivered, in the name of whoever saw that it ended. */
export async function endReview(
  place: Place,
  { trace, completion_id }: Review,
  by: Author,
  { to, reason }: DeliveryEnd,
): Promise<EndedReview | Refusal> {
  const known = { trace, completion_id, reason };
  if (to === undefined) return { ...known, moved: null };
  const recorder = Recorder.resume(place, trace);
  try {
    const move = { completion_id, to, reason };
    return (await moveReview(recorder, by, move)) ?? { ...known, moved: to };
  } finally {
    recorder.close();
  }
}
