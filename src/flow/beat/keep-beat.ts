import type { BeatOpened, Body } from "../../schema/index.ts";
import { type BeatTempo, type BeatVoice, request } from "./beat-voice.ts";
import { endLead, takeLead } from "./lead-trace.ts";
import { currentBeat, projectBeat } from "./pulse.ts";

/** How often the clock is looked at, at most and at least, in milliseconds. */
const LOOK_MS_MAX = 1_000;
const LOOK_MS_MIN = 20;
const LOOKS_A_BEAT = 4;

/** What was seen of an agent in a beat; the notes alone are its own. */
export type SeenStatus = Omit<Body<"status_claimed">, "beat_index">;

/** Something that lasts, and whose beats are kept. */
export interface KeptThing extends BeatTempo {
  readonly voice: BeatVoice;
  /** What is seen of the agents that are active, asked once a beat. */
  readonly observe: () => Promise<readonly SeenStatus[]> | readonly SeenStatus[];
  /** Whether it leads its trace, so that it takes the lead with each beat. */
  readonly leads?: boolean;
  /** Told of what went wrong: nothing that lasts ends because of a beat. */
  readonly onFault: (error: unknown) => void;
}

/** Beats that are being kept. */
export interface KeptBeats {
  /** The number of the lease; undefined where it does not lead. */
  readonly fence: number | undefined;
  /** Looks at the clock now, without waiting for the next look. */
  tick(): Promise<void>;
  /** Says how the last beat went, gives the lead back and looks no more. */
  end(last?: readonly SeenStatus[]): Promise<void>;
  /** Looks no more, and says nothing. */
  stop(): void;
}

/**
 * Keeps the beats of something that lasts: what was seen of its agents is claimed for each beat in
 * which they were active, as the beat ends, and a lead is taken again before it runs out. What
 * leads has its first beat opened at once; for others a beat is opened when there is something to
 * say about it.
 *
 * @throws SwornError `LEDGER_BUSY` when it is to lead and another one does.
 */
export async function keepBeat(thing: KeptThing): Promise<KeptBeats> {
  const keeper = new BeatKeeper(thing);
  await keeper.begin();
  return keeper;
}

class BeatKeeper implements KeptBeats {
  readonly #thing: KeptThing;
  #beat: BeatOpened;
  #fence: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #turning: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(thing: KeptThing) {
    this.#thing = thing;
    this.#beat = this.#now();
  }

  get fence(): number | undefined {
    return this.#fence;
  }

  async begin(): Promise<void> {
    const { voice, leads } = this.#thing;
    if (leads === true) this.#fence = await takeLead(voice, this.#thing);
    this.#beat = this.#now();
    const everyMs = Math.min(LOOK_MS_MAX, this.#beat.beat_ms / LOOKS_A_BEAT);
    this.#timer = setInterval(
      () => {
        if (this.#isDue()) void this.tick();
      },
      Math.max(LOOK_MS_MIN, everyMs),
    );
    // Whoever waits for what lasts keeps the process; a clock alone does not.
    this.#timer.unref();
  }

  tick(): Promise<void> {
    this.#turning = this.#turning.then(async () => {
      if (!this.#isOver && this.#isDue()) await this.#turn();
    });
    return this.#turning;
  }

  async end(last?: readonly SeenStatus[]): Promise<void> {
    this.stop();
    await this.#turning;
    await this.#safely(async () => {
      await this.#claim(last ?? (await this.#thing.observe()));
      if (this.#fence !== undefined) await endLead(this.#thing.voice, this.#fence);
    });
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  #now(): BeatOpened {
    const { voice, phase, beatMs } = this.#thing;
    const { place } = voice;
    const pulse = { own: voice.cadence().beat, project: projectBeat(place), phase, beatMs };
    return currentBeat(pulse, place.clock());
  }

  #isDue(): boolean {
    const { clock } = this.#thing.voice.place;
    return clock() >= Date.parse(this.#beat.deadline_at);
  }

  /** One beat is over: what was seen in it is said, and the next one begins. */
  #turn(): Promise<void> {
    return this.#safely(async () => {
      const { voice } = this.#thing;
      try {
        await this.#claim(await this.#thing.observe());
        if (this.#fence !== undefined) this.#fence = await takeLead(voice, this.#thing);
      } finally {
        // What goes wrong is said once a beat, and not with every look.
        this.#beat = this.#now();
      }
    });
  }

  async #claim(seen: readonly SeenStatus[]): Promise<void> {
    const { voice } = this.#thing;
    if (seen.length === 0) return;
    if (this.#isAhead()) {
      await voice.record(request("beat_opened", this.#beat));
    }
    const { beat_index, window_id } = this.#beat;
    for (const status of seen) {
      const metadata = { ...status.metadata, window_id };
      // An agent has one status a beat; a second run in the same one adds nothing.
      await voice.record(request("status_claimed", { ...status, beat_index, metadata }));
    }
  }

  #isAhead(): boolean {
    return this.#beat.beat_index > (this.#thing.voice.cadence().beat?.beat_index ?? -1);
  }

  async #safely(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#thing.onFault(error);
    }
  }
}
