import type { Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../recorder.ts";
import { type Author, RUNTIME } from "../talk/bus.ts";
import type { Review } from "./read-reviews.ts";
import { type Move, moveReview } from "./settle-review.ts";

/**
 * Takes a decision about a review to where it leads. Votes that pass with a decision pass. Where two
 * decide for an absent owner, they do. Doubts that stayed after a second round are a recorded
 * disagreement, unless whoever decides bears them. Null where the decision changes nothing.
 */
export async function decideReview(
  place: Place,
  author: Author,
  review: Review,
  { decision_id, choice, accepts }: { decision_id: string; choice: string; accepts: boolean },
): Promise<Move["to"] | Refusal | null> {
  const move = moveFor(review, accepts);
  if (move === undefined) return null;
  const recorder = Recorder.resume(place, review.trace);
  try {
    const { completion_id } = review;
    // Only who bears doubts signs for them; the rest follows from votes and is the runtime's to say.
    const by = move.isBorne ? author : RUNTIME;
    const { to, by_duo } = move;
    const refusal = await moveReview(recorder, by, {
      ...{ completion_id, to, reason: choice, decision_id, by_duo },
    });
    return refusal ?? to;
  } finally {
    recorder.close();
  }
}

interface Way {
  readonly to: "consensus" | "disagreement";
  readonly by_duo?: true;
  readonly isBorne?: true;
}

function moveFor(review: Review, accepts: boolean): Way | undefined {
  const { phase, counts, next, is_converged } = review;
  if (phase !== "REVIEW" || review.revised_by !== null) return undefined;
  if (next === "escalate") return { to: "consensus", by_duo: true };
  const isQuorum = !["wait", "add-reviewers", "narrow-scope"].includes(next);
  if (!isQuorum) return undefined;
  if (counts.red === 0 && counts.green === 1) return { to: "consensus" };
  if (!is_converged) return undefined;
  if (counts.red === 0 && accepts) return { to: "consensus", isBorne: true };
  return { to: "disagreement" };
}
