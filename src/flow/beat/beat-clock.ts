import { sha256Hex } from "../../base/index.ts";
import type { BeatOpened, BeatPhase } from "../../schema/index.ts";

/** How long a beat is where nobody set another tempo. */
export const BEAT_MS = 900_000;
/** Whose clock it is where no other one sends frames. */
export const LOCAL_CLUSTER = "local";
/** So many beats are one bar of our own clock. */
const BAR_BEATS = 8;
/** However long nobody looked, the count goes on by so many at most. */
const STEPS_MAX = 100_000;
const WINDOW_CHARS = 32;

/** The first beat of a clock of our own: counted from 1970 on, so that all traces of a machine agree. */
export function localBeat(nowMs: number, phase: BeatPhase, beatMs = BEAT_MS): BeatOpened {
  const index = Math.floor(nowMs / beatMs);
  return ofLocalClock(index, phase, (index + 1) * beatMs, beatMs);
}

function ofLocalClock(
  index: number,
  phase: BeatPhase,
  deadlineMs: number,
  beatMs: number,
): BeatOpened {
  return {
    beat_index: index,
    phase,
    cluster_id: LOCAL_CLUSTER,
    window_id: windowOf(Math.floor(index / BAR_BEATS)),
    downbeat: index % BAR_BEATS === 0,
    beat_ms: beatMs,
    deadline_at: new Date(deadlineMs).toISOString(),
  };
}

function windowOf(bar: number): string {
  return sha256Hex(`${LOCAL_CLUSTER} bar ${bar}`).slice(0, WINDOW_CHARS);
}

/** So many beats later, at the tempo of the one that is known. */
export function beatsLater(from: BeatOpened, beats: number, phase = from.phase): BeatOpened {
  const index = from.beat_index + beats;
  const deadlineMs = Date.parse(from.deadline_at) + beats * from.beat_ms;
  if (from.cluster_id === LOCAL_CLUSTER) {
    return ofLocalClock(index, phase, deadlineMs, from.beat_ms);
  }
  // Where another clock has its bars is not ours to guess.
  const deadline_at = new Date(deadlineMs).toISOString();
  return { ...from, phase, beat_index: index, deadline_at, downbeat: false };
}

/**
 * The beat that it is now, counted on from the last one that is known: whoever hears no frames keeps
 * the tempo. A clock that went back changes nothing.
 */
export function beatAt(last: BeatOpened, nowMs: number): BeatOpened {
  const lateMs = nowMs - Date.parse(last.deadline_at);
  if (lateMs < 0) return last;
  return beatsLater(last, Math.min(STEPS_MAX, 1 + Math.floor(lateMs / last.beat_ms)));
}
