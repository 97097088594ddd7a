import { nextHlc } from "../../base/index.ts";
import type { BeatOpened } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { sessionOf } from "../trace/look.ts";
import { currentBeat, projectBeat } from "./pulse.ts";

/** The beat of now, for whoever wants to see it. */
export interface ShownBeat {
  readonly beat: BeatOpened;
  readonly hlc: string;
  /** Whether it was opened in the trace; otherwise it would be, by whoever acts there next. */
  readonly isOpen: boolean;
}

/** Says which beat it is, in a trace or in the project, without opening anything. */
export function showBeat(
  place: Place,
  trace: string | undefined,
  beatMs: number | undefined,
): ShownBeat {
  const own = trace === undefined ? undefined : sessionOf(place, trace).session.cadence.beat;
  const pulse = { own, project: projectBeat(place), phase: own?.phase ?? "plan", beatMs } as const;
  const beat = currentBeat(pulse, place.clock());
  const hlc = nextHlc(undefined, place.clock());
  return { beat, hlc, isOpen: own !== undefined && own.beat_index >= beat.beat_index };
}
