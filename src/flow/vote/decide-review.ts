import type { Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { type Author, RUNTIME } from "../talk/bus.ts";
import { firstEntry } from "../trace/look.ts";
import type { Review } from "./read-reviews.ts";
import { type Move, moveReview } from "./settle-review.ts";

/** What a review waits for while votes are missing. */
const NO_QUORUM: ReadonlySet<Review["next"]> = new Set(["wait", "add-reviewers", "narrow-scope"]);

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

/** What a decision did not move although it was about a completion, and why: for whoever decided. */
export function whyNotMoved(
  place: Place,
  { trace, completion_id: id, revised_by: newer, phase, blockers, next }: Review,
  { decision_id, accepts }: { decision_id: string; accepts: boolean },
): string {
  const why = blockers.join("; ");
  if (newer !== null)
    return `${id} was replaced by ${newer}: decide about that one, --for ${newer}`;
  if (phase === "DRAFT") {
    const first = firstEntry(place, trace);
    const isLed = first?.type === "session_initialized" && first.body.task === "session";
    const rest = isLed
      ? "with this decision that can wait: sworn resume"
      : `what can wait is proposed again with sworn propose, --defer <item>=${decision_id}`;
    return `${id} is a draft that nobody votes on (${why}); ${rest}`;
  }
  if (phase !== "REVIEW") return `${id} is in ${phase} already`;
  if (NO_QUORUM.has(next)) {
    const borne = accepts ? "; --accept bears doubts, and no votes that are missing" : "";
    return `${id} has no quorum (${why})${borne}`;
  }
  return `${id}: whoever voted is asked once more before a decision moves it (sworn status ${id} --review)`;
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
  if (NO_QUORUM.has(next)) return undefined;
  if (counts.red === 0 && counts.green === 1) return { to: "consensus" };
  if (!is_converged) return undefined;
  if (counts.red === 0 && accepts) return { to: "consensus", isBorne: true };
  return { to: "disagreement" };
}
