import type { BeatOpened, Entry } from "../../schema/index.ts";
import { isBefore, type Session } from "../../view/index.ts";
import type { Review } from "../vote/read-reviews.ts";

export const LATE_KINDS = ["question", "review", "mitigation", "status"] as const;

/** Something whose last beat is over. */
export interface LateThing {
  readonly kind: (typeof LATE_KINDS)[number];
  readonly about: string;
  /** Whose it is to do; null where it is anybody's. */
  readonly who: string | null;
  /** The last beat for it. */
  readonly due_beat: number;
}

const BEATS = /^(\d{1,6}) beats?$/i;
const BEAT = /^beat (\d{1,15})$/i;

/** Everything of a trace that is late, judged by the beats that were opened in it. */
export function lateThings(
  entries: readonly Entry[],
  session: Session,
  reviews: readonly Review[],
): LateThing[] {
  const { beat } = session.cadence;
  if (beat === undefined) return [];
  const all = [
    ...questions(session),
    ...reviews.flatMap((review) => reviewOf(review)),
    ...reviews.flatMap((review) => mitigationsOf(review, entries)),
    ...statuses(entries, session, beat),
  ];
  return all.filter(({ due_beat }) => !isBefore(beat, due_beat));
}

function questions(session: Session): LateThing[] {
  return [...session.questions].flatMap(([id, { open, dueBeat, to }]) =>
    open && dueBeat !== undefined
      ? [{ kind: "question" as const, about: id, who: to[0] ?? null, due_beat: dueBeat }]
      : [],
  );
}

function reviewOf({ body, phase, completion_id: about, revised_by }: Review): LateThing[] {
  const due = body.due_beat;
  if (due === undefined || phase !== "REVIEW" || revised_by !== null) return [];
  return [{ kind: "review", about, who: null, due_beat: due }];
}

/** What a yellow vote asks for until `beat 12`, or within `4 beats` of the vote; other words are no beats. */
function mitigationsOf({ votes, revised_by }: Review, entries: readonly Entry[]): LateThing[] {
  if (revised_by !== null) return [];
  return votes.flatMap(({ seq, body }) =>
    (body.mitigations ?? []).flatMap(({ action, owner, deadline }) => {
      const due = dueOf(deadline.trim(), entries[seq]?.beat);
      return due === undefined
        ? []
        : [{ kind: "mitigation" as const, about: action, who: owner, due_beat: due }];
    }),
  );
}

function dueOf(deadline: string, since: number | undefined): number | undefined {
  const named = BEAT.exec(deadline)?.[1];
  if (named !== undefined) return Number(named);
  const beats = BEATS.exec(deadline)?.[1];
  return beats === undefined || since === undefined ? undefined : since + Number(beats);
}

/** Whoever runs owes a status for each beat, by the end of the next one. */
function statuses(entries: readonly Entry[], session: Session, beat: BeatOpened): LateThing[] {
  return entries.flatMap((entry) => {
    if (entry.type !== "run_started") return [];
    const { run_id, agent } = entry.body;
    if (session.runs.get(run_id)?.status !== "running") return [];
    const last = session.cadence.statuses.get(agent) ?? entry.beat ?? beat.beat_index - 1;
    return [{ kind: "status" as const, about: run_id, who: agent, due_beat: last + 1 }];
  });
}
