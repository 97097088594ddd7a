import type { BeatOpened, BeatPhase } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { findTalkTrace } from "../talk/talk-trace.ts";
import { sessionOf } from "../trace/look.ts";
import { BEAT_MS, beatAt, localBeat } from "./beat-clock.ts";

/** What is known of the beats when one is to be opened. */
export interface Pulse {
  /** The last beat of the trace itself. */
  readonly own: BeatOpened | undefined;
  /** The last beat of the project, which its other traces follow. */
  readonly project: BeatOpened | undefined;
  readonly phase: BeatPhase;
  readonly beatMs?: number | undefined;
}

/** The last beat that was opened for the whole project; undefined where nobody did. */
export function projectBeat(place: Place): BeatOpened | undefined {
  const trace = findTalkTrace({ place });
  return trace === undefined ? undefined : sessionOf(place, trace).session.cadence.beat;
}

/** The beat that it is now; never one before the trace's own. */
export function currentBeat({ own, project, phase, beatMs }: Pulse, nowMs: number): BeatOpened {
  // A trace has one clock: what it began with, it goes on with.
  const isShared =
    project !== undefined && (own?.cluster_id ?? project.cluster_id) === project.cluster_id;
  const shared = isShared ? project : undefined;
  const last = lastOf(own, shared);
  if (last === undefined) return localBeat(nowMs, phase, beatMs ?? BEAT_MS);
  return beatAt(last, nowMs);
}

/** The same where it has to be opened first; undefined where it is open. */
export function beatToOpen(pulse: Pulse, nowMs: number): BeatOpened | undefined {
  const now = currentBeat(pulse, nowMs);
  const isOpen = pulse.own !== undefined && now.beat_index <= pulse.own.beat_index;
  return isOpen ? undefined : now;
}

function lastOf(
  own: BeatOpened | undefined,
  shared: BeatOpened | undefined,
): BeatOpened | undefined {
  if (own === undefined || shared === undefined) return own ?? shared;
  return shared.beat_index > own.beat_index ? shared : own;
}
