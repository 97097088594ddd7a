import type { BeatOpened, BeatPhase } from "../../schema/index.ts";
import type { Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { beatsLater } from "./beat-clock.ts";
import { readFrame } from "./beat-frame.ts";
import { recorderVoice, request } from "./beat-voice.ts";
import { currentBeat, projectBeat } from "./pulse.ts";

/** Which beat is to be opened. */
export interface BeatAsked {
  readonly phase?: BeatPhase | undefined;
  readonly beatMs?: number | undefined;
  /** A frame of another clock, as text: its beat is opened, whatever the own clock says. */
  readonly frame?: string | undefined;
}

/** A beat that was opened, and the logical time of its entry. */
export interface OpenedBeat {
  readonly beat: BeatOpened;
  readonly hlc: string;
}

/**
 * Opens a beat in a trace: that of a frame, else that of now, else the next one.
 *
 * @throws SwornError `INPUT_INVALID` for a frame that cannot be read.
 */
export async function openBeat(
  place: Place,
  trace: string,
  { phase, beatMs, frame }: BeatAsked,
): Promise<OpenedBeat | Refusal> {
  const heard = frame === undefined ? undefined : readFrame(frame, place.clock());
  const recorder = Recorder.resume(place, trace);
  try {
    const { beat: own } = recorderVoice(place, recorder).cadence();
    const beat = heard?.beat ?? nextOf({ place, own, phase, beatMs });
    const asked = request("beat_opened", phase === undefined ? beat : { ...beat, phase });
    const options = { artifactRoots: [], seen: heard?.hlc };
    const { refusal } = await recorder.record([asked], options);
    return refusal ?? { beat: { ...beat, phase: phase ?? beat.phase }, hlc: recorder.hlc ?? "" };
  } finally {
    recorder.close();
  }
}

function nextOf(about: {
  readonly place: Place;
  readonly own: BeatOpened | undefined;
  readonly phase: BeatPhase | undefined;
  readonly beatMs: number | undefined;
}): BeatOpened {
  const { place, own, phase = own?.phase ?? "plan", beatMs } = about;
  const now = currentBeat({ own, project: projectBeat(place), phase, beatMs }, place.clock());
  const isOpen = own !== undefined && now.beat_index <= own.beat_index;
  return isOpen ? beatsLater(own, 1) : now;
}
