import type { BeatOpened } from "../schema/index.ts";

/** Who leads a trace: while the lease stands, every entry carries its number. */
export interface LeaseView {
  readonly number: number;
  readonly holder: string;
  /** The last beat that it counts for. */
  readonly untilBeat: number;
  isStanding: boolean;
}

/** The beats of a trace, and what hangs on them. */
export interface Cadence {
  /** The beat that was opened last. */
  beat: BeatOpened | undefined;
  /** The latest beat for which the status of each agent was recorded. */
  readonly statuses: Map<string, number>;
  lease: LeaseView | undefined;
}

export function emptyCadence(): Cadence {
  return { beat: undefined, statuses: new Map(), lease: undefined };
}

/** Whether something that is due by the end of a beat is not late yet; without a beat nothing is. */
export function isBefore(beat: BeatOpened | undefined, due: number | undefined): boolean {
  return due !== undefined && (beat === undefined || beat.beat_index <= due);
}

/** Whether a lease has run out, by the beats that were opened since. */
export function isRunOut({ beat, lease }: Cadence): boolean {
  return lease !== undefined && !isBefore(beat, lease.untilBeat);
}

/** When something was, across traces: in which beat, and within it by logical time. */
export interface Moment {
  readonly beat_index: number;
  readonly hlc: string;
}

/**
 * Beats come first: logical times of machines whose clocks differ are told apart by them. Those of
 * our own are of one length, so that they compare as text.
 */
export function compareMoments(one: Moment, other: Moment): number {
  if (one.beat_index !== other.beat_index) return one.beat_index - other.beat_index;
  return one.hlc < other.hlc ? -1 : one.hlc > other.hlc ? 1 : 0;
}
