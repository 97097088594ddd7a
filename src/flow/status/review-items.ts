import { FINAL_STATES, type SessionState } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { type Review, readReviews, type Tempo } from "../vote/read-reviews.ts";
import type { Glance } from "./glance.ts";
import { shellWord } from "./shell-word.ts";
import type { StatusItem } from "./status-item.ts";

/** The reviews of finished work that still wait for something. */
export function reviewItems(place: Place, glance: Glance, tempo: Tempo): StatusItem[] {
  if (glance.session.completions.size === 0) return [];
  return readReviews(place, glance.trace, tempo)
    .filter(({ phase }) => isOpen(phase, glance.session.state))
    .flatMap((review) => itemOf(review, glance));
}

function itemOf(review: Review, { task, trace, last }: Glance): StatusItem[] {
  const { completion_id: id, phase, revised_by, counts, blockers, body } = review;
  if (revised_by !== null) return [];
  const tally = `${counts.green} green, ${counts.yellow} yellow, ${counts.red} red`;
  const isHeldUp = counts.red > 0 || phase === "DRAFT";
  return [
    {
      ...{ kind: "review", name: id, task, trace, at: last ?? null },
      urgency: isHeldUp ? "blocked" : "waits",
      state: phase,
      waits_for: waitsFor(review),
      about: `${tally}; ${blockers[0] ?? body.artifact}`,
      next: nextOf(review, task),
    },
  ];
}

/** Nobody can vote in a session that has ended; only what was agreed on can still be handed over. */
function isOpen(phase: Review["phase"], state: SessionState): boolean {
  if (phase === "CONSENSUS") return state === "completed" || !FINAL_STATES.includes(state);
  return (phase === "DRAFT" || phase === "REVIEW") && !FINAL_STATES.includes(state);
}

function waitsFor({ phase, counts, next }: Review): string {
  if (phase === "DRAFT" || counts.red > 0) return "its authors";
  if (isForPerson(next)) return "you";
  return phase === "REVIEW" ? "voters" : "you";
}

/** Whether nothing but somebody's decision leads on. */
function isForPerson(next: Review["next"]): boolean {
  return next === "decide" || next === "escalate";
}

/** A vote needs reasons; before one is cast, whoever votes looks at where it stands. */
function nextOf({ completion_id: id, phase, next, trace }: Review, task: string): string {
  // A session's reviews are in its own trace, and no task's.
  const where = task === "session" ? `--trace ${trace}` : `--task ${shellWord(task)}`;
  if (phase === "DRAFT") return task === "session" ? "sworn resume" : `sworn propose ${where}`;
  if (isForPerson(next)) {
    return `sworn decide '<choice>' --context '<why>' --for ${shellWord(id)} ${where}`;
  }
  return `sworn status ${shellWord(id)} --review ${where}`;
}
