import type { BeatOpened, EventRequest } from "../../schema/index.ts";
import { type Cadence, emptyCadence, type Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { RUNTIME_AGENT } from "../record/complete.ts";
import type { Recorder } from "../record/recorder.ts";
import { beatToOpen, type Pulse, projectBeat } from "./pulse.ts";

const RUNTIME = { agent: RUNTIME_AGENT, role: "runtime" } as const;

/** A trace in which beats are opened: what it knows of them, and how something is said there. */
export interface BeatVoice {
  readonly place: Place;
  readonly trace: string;
  /** As far as this process has seen. */
  cadence(): Cadence;
  /** Records as the runtime; the refusal where there is one. */
  record(request: EventRequest): Promise<Refusal | undefined>;
}

/** A trace that is open for recording. */
export function recorderVoice(place: Place, recorder: Recorder): BeatVoice {
  return {
    place,
    trace: recorder.id,
    cadence: () => recorder.session?.cadence ?? emptyCadence(),
    record: async (asked) => (await recorder.record([asked], { artifactRoots: [] })).refusal,
  };
}

/** How beats are opened here. */
export type BeatTempo = Pick<Pulse, "phase" | "beatMs">;

export function request<T extends EventRequest["type"]>(
  type: T,
  body: EventRequest<T>["body"],
): EventRequest {
  return { actor: RUNTIME, type, body } as EventRequest;
}

/**
 * Sees to it that the beat of now is open in a trace. Of several that open it at once, one does, and
 * the others find it open. Undefined where a session is over and nothing can be opened any more.
 */
export async function openDueBeat(
  voice: BeatVoice,
  tempo: BeatTempo,
): Promise<BeatOpened | undefined> {
  const { place } = voice;
  const pulse = { ...tempo, own: voice.cadence().beat, project: projectBeat(place) };
  const due = beatToOpen(pulse, place.clock());
  if (due !== undefined) await voice.record(request("beat_opened", due));
  // What was refused was opened by somebody else meanwhile, and the refusal has shown us that.
  return voice.cadence().beat;
}

/** The same where beats are counted already: whoever says something there keeps the count going. */
export async function keepCount(voice: BeatVoice): Promise<void> {
  const { beat } = voice.cadence();
  if (beat !== undefined) await openDueBeat(voice, { phase: beat.phase });
}
