import { assert, decodeUtf8, parseJson, SwornError } from "../../base/index.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { Refusal, Session } from "../../view/index.ts";
import { soundBytes } from "../artifact-bytes.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../recorder.ts";

const ARTIFACT_BYTES_MAX = 64 << 20;
const LEASE_MS = 60 * 60 * 1_000;

/**
 * The record of a session: the one thing that says where it stands. Whatever a step needs to know of
 * earlier steps is an artifact with a name, so that going on after a crash is reading it again.
 */
export class SessionRecord {
  readonly #place: Place;
  readonly #recorder: Recorder;
  #fence: number | undefined;

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
    return decodeUtf8(Buffer.concat([...soundBytes(this.#place, hash)]));
  }

  json(name: string): unknown {
    return parseJson(this.text(name), ARTIFACT_BYTES_MAX);
  }

  /** Records what cannot be refused: we wrote it, and a refusal would be our own mistake. */
  async record(requests: readonly EventRequest[]): Promise<void> {
    const refusal = await this.ask(requests);
    assert(refusal === undefined, `the protocol refuses: ${refusal?.reason}`);
  }

  /** The same where the record's own rules may say no. */
  async ask(requests: readonly EventRequest[]): Promise<Refusal | undefined> {
    const options = { artifactRoots: [], fence: this.#fence };
    return (await this.#recorder.record(requests, options)).refusal;
  }

  /** This process leads from here on: whoever led before and wakes up again is refused. */
  async lead(holder: string): Promise<void> {
    const number = (this.session.lease?.number ?? 0) + 1;
    const expires_at = new Date(this.#place.clock() + LEASE_MS).toISOString();
    const body = { number, holder, expires_at };
    const actor = { agent: "sworn", role: "runtime" } as const;
    await this.record([{ actor, type: "lease_taken", body }]);
    this.#fence = number;
  }

  close(): void {
    this.#recorder.close();
  }
}
