import { assert, parseJson, SwornError } from "../../base/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { Refusal, Session } from "../../view/index.ts";
import type { BeatVoice } from "../beat/beat-voice.ts";
import { HeldLease } from "../beat/held-lease.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { soundText } from "../trace/artifact-bytes.ts";

const ARTIFACT_BYTES_MAX = 64 << 20;

/**
 * The record of a session: the one thing that says where it stands. Whatever a step needs to know of
 * earlier steps is an artifact with a name, so that going on after a crash is reading it again.
 */
export class SessionRecord {
  readonly #place: Place;
  readonly #recorder: Recorder;
  readonly #held = new HeldLease();
  /** Steps and beats write one after the other: the fence changes with a beat. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(place: Place, recorder: Recorder) {
    this.#place = place;
    this.#recorder = recorder;
  }

  static start(place: Place, trace: string): SessionRecord {
    return new SessionRecord(place, Recorder.start(place, trace));
  }

  static resume(place: Place, trace: string): SessionRecord {
    return new SessionRecord(place, Recorder.resume(place, trace));
  }

  get trace(): string {
    return this.#recorder.id;
  }

  get size(): number {
    return this.#recorder.head.size;
  }

  /** Where the session stands by now, with what others recorded meanwhile. */
  get session(): Session {
    this.#recorder.catchUp();
    const { session } = this.#recorder;
    assert(session !== undefined, "a session begins with its first entry");
    return session;
  }

  has(name: string): boolean {
    return this.session.artifactNames.has(name);
  }

  /** The latest artifact of this name, as text. */
  text(name: string): string {
    const hash = this.session.artifactNames.get(name);
    if (hash === undefined) {
      throw new SwornError("NOT_FOUND", `${this.trace} has no artifact ${name}`);
    }
    return soundText(this.#place, hash);
  }

  json(name: string): unknown {
    return parseJson(this.text(name), ARTIFACT_BYTES_MAX);
  }

  /** How its beats are opened and its lead is taken, in order with everything else that is written. */
  get voice(): BeatVoice {
    return {
      place: this.#place,
      trace: this.trace,
      cadence: () => this.session.cadence,
      record: (request) =>
        this.#inTurn(async () => {
          const refusal = await this.#write([request]);
          if (refusal === undefined) this.#held.note([request]);
          return refusal;
        }),
    };
  }

  /**
   * Records what cannot be refused: we wrote it, and a refusal would be our own mistake.
   *
   * @throws SwornError `LEDGER_BUSY` when another process has taken the lead.
   */
  async record(requests: readonly EventRequest[]): Promise<void> {
    const refusal = await this.ask(requests);
    assert(refusal === undefined, `the protocol refuses: ${refusal?.reason}`);
  }

  /** The same where the record's own rules may say no. */
  ask(requests: readonly EventRequest[]): Promise<Refusal | undefined> {
    return this.#inTurn(async () => {
      const refusal = await this.#write(requests);
      const lost = refusal && this.#held.lost(this.trace, this.session.cadence);
      if (lost !== undefined) throw lost;
      return refusal;
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #write(requests: readonly EventRequest[]): Promise<Refusal | undefined> {
    const options = { artifactRoots: [], fence: this.#held.fence };
    return (await this.#recorder.record(requests, options)).refusal;
  }

  close(): void {
    this.#recorder.close();
  }
}
