import type { Place } from "../place.ts";
import { type Review, readReviews } from "../vote/read-reviews.ts";
import type { Glance } from "./glance.ts";
import { shellWord } from "./shell-word.ts";
import type { StatusItem } from "./status-item.ts";

/** The reviews of finished work that still wait for something. */
export function reviewItems(place: Place, glance: Glance): StatusItem[] {
  if (glance.session.completions.size === 0) return [];
  return readReviews(place, glance.trace).flatMap((review) => itemOf(review, glance));
}

function itemOf(review: Review, { task, trace, last }: Glance): StatusItem[] {
  const { completion_id: id, phase, revised_by, counts, blockers, body } = review;
  if (revised_by !== null || !isOpen(phase)) return [];
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

function isOpen(phase: Review["phase"]): boolean {
  return phase === "DRAFT" || phase === "REVIEW" || phase === "CONSENSUS";
}

function waitsFor({ phase, counts }: Review): string {
  if (phase === "DRAFT" || counts.red > 0) return "its authors";
  return phase === "REVIEW" ? "voters" : "you";
}

/** A vote needs reasons; before one is cast, whoever votes looks at where it stands. */
function nextOf({ completion_id: id, phase }: Review, task: string): string {
  const look = `sworn status ${shellWord(id)} --review --task ${shellWord(task)}`;
  return phase === "DRAFT" ? `sworn propose --task ${shellWord(task)}` : look;
}
