import { type Bus, isRefused } from "../talk/bus.ts";
import type { BeatVoice } from "./beat-voice.ts";

/** A bus as something in which beats are opened. */
export function busVoice(bus: Bus): BeatVoice {
  return {
    place: bus.place,
    trace: bus.trace,
    cadence: () => bus.cadence,
    record: async (request) => {
      const said = await bus.record(request);
      return isRefused(said) ? said : undefined;
    },
  };
}
