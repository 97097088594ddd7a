import { expect, onTestFinished } from "vitest";
import type { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { localSource } from "../../src/flow/trace/local-source.ts";
import { readTrace } from "../../src/flow/trace/look.ts";
import { openForReading } from "../../src/flow/trace/reading.ts";
import type { LocalLedger } from "../../src/ledger/local.ts";
import type { Entry, EventRequest, VerificationReport } from "../../src/schema/index.ts";
import { type VerifyOptions, verifyTrace } from "../../src/verify/index.ts";
import type { Refusal, Rule, Session } from "../../src/view/index.ts";
import { temporaryPlace } from "../fake/sandbox.ts";
import { type Reachable, WAYS } from "./requests.ts";

const NO_ROOTS = { artifactRoots: [] };

/** A session that is being recorded for real: database, keys, artifacts, all gone after the test. */
export class Stage {
  readonly place: Place;
  readonly recorder: Recorder;
  #isClosed = false;

  constructor(place: Place, recorder: Recorder) {
    this.place = place;
    this.recorder = recorder;
    onTestFinished(() => this.close());
  }

  /** Ends the recording; what it wrote stays until the test is over. */
  close(): void {
    if (!this.#isClosed) this.recorder.close();
    this.#isClosed = true;
  }

  /** A session brought into a state on the shortest way; `body` adds to `session_initialized`. */
  static async at(state: Reachable, body: object = {}, place = temporaryPlace()): Promise<Stage> {
    const stage = new Stage(place, Recorder.start(place));
    await stage.accept(...WAYS[state](body));
    expect(stage.state).toBe(state);
    return stage;
  }

  get id(): string {
    return this.recorder.id;
  }

  get session(): Session {
    const { session } = this.recorder;
    if (!session) throw new Error("the session has not begun");
    return session;
  }

  get state(): Session["state"] {
    return this.session.state;
  }

  async accept(...requests: EventRequest[]): Promise<void> {
    const outcome = await this.recorder.record(requests, NO_ROOTS);
    expect(outcome).toEqual({ recorded: requests.length });
  }

  /** Expects this rule to refuse the request, and the stored trace to be what it was. */
  async refuse(request: EventRequest, rule: Rule): Promise<Refusal> {
    const before = this.lines();
    const { recorded, refusal } = await this.recorder.record([request], NO_ROOTS);
    expect(refusal).toMatchObject({ kind: "refused", rule });
    expect(recorded).toBe(0);
    expect(this.lines()).toEqual(before);
    return refusal as Refusal;
  }

  /** The stored lines, read by somebody else than the recorder. */
  lines(): string[] {
    return this.#withLedger((ledger) => [...ledger.read()]);
  }

  /** The newest signed checkpoint in the store. */
  checkpoint(): string {
    return this.#withLedger((ledger) => ledger.lastCheckpoint()?.note ?? "");
  }

  entries(): Entry[] {
    return readTrace(this.place, this.id);
  }

  /** The last entry of a type. */
  last<T extends Entry["type"]>(type: T): Entry<T> {
    const entry = this.entries().findLast((one) => one.type === type);
    if (!entry) throw new Error(`no ${type} was recorded`);
    return entry as unknown as Entry<T>;
  }

  async verify(options: Partial<VerifyOptions> = {}): Promise<VerificationReport> {
    const ledger = openForReading(this.place, this.id);
    try {
      return await verifyTrace(localSource(this.place, ledger), {
        profile: "default",
        mode: "full",
        threads: 0,
        ...options,
      });
    } finally {
      ledger.close();
    }
  }

  #withLedger<T>(use: (ledger: LocalLedger) => T): T {
    const ledger = openForReading(this.place, this.id);
    try {
      return use(ledger);
    } finally {
      ledger.close();
    }
  }
}
