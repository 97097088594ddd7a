import { assert, type SwornError } from "../../base/index.ts";
import type { EventRequest, Profile } from "../../schema/index.ts";
import type { Plan } from "../../schema/plan.ts";
import type { TryOrder } from "../../schema/work.ts";
import { emptyCadence, type Refusal, type Session } from "../../view/index.ts";
import type { BeatVoice } from "../beat/beat-voice.ts";
import { HeldLease } from "../beat/held-lease.ts";
import { json } from "../exec/exec-record.ts";
import type { Place } from "../place.ts";
import { cut } from "../record/entry-text.ts";
import { Recorder } from "../record/recorder.ts";
import { opening, replanning, type WorkStart } from "./plan-entries.ts";
import {
  assembling,
  auditing,
  claiming,
  cutting,
  ending,
  finishing,
  starting,
  type TryEnd,
  type TryName,
  waiving,
} from "./work-entries.ts";

/** The names that a try's artifacts have in the record. */
export const artifactsOf = (execution: string) => ({
  order: `${execution}.in`,
  work: `${execution}.work`,
  proofs: `${execution}.proofs`,
});

/**
 * Writes a work into a trace, in the words of the protocol: the plan is a proposal that the gate
 * reviews, each try of a subtask an intent and an execution, its proofs another execution, and what
 * they show a claim. Everything that goes on with the work later is read from here.
 */
export class WorkRecord {
  readonly #recorder: Recorder;
  readonly #place: Place;
  #waiting: Waiting[] = [];
  #isWriting = false;
  readonly #held = new HeldLease();

  private constructor(place: Place, recorder: Recorder) {
    this.#place = place;
    this.#recorder = recorder;
  }

  static start(place: Place, trace?: string): WorkRecord {
    return new WorkRecord(place, Recorder.start(place, trace));
  }

  static resume(place: Place, trace: string): WorkRecord {
    return new WorkRecord(place, Recorder.resume(place, trace));
  }

  get trace(): string {
    return this.#recorder.id;
  }

  get session(): Session | undefined {
    return this.#recorder.session;
  }

  /** How its beats are opened and its lead is taken, in order with everything else that is written. */
  get voice(): BeatVoice {
    return {
      place: this.#place,
      trace: this.trace,
      cadence: () => this.session?.cadence ?? emptyCadence(),
      record: (request) =>
        new Promise((resolve, reject) => {
          this.#add({ requests: [request], done: resolve, failed: reject, isOfBeats: true });
        }),
    };
  }

  /** Opens the session: the plan, frozen, and the gate's word about it. */
  begin(about: {
    readonly plan: Plan;
    /** The plan in its one spelling, whose digest is the contract's. */
    readonly contract: string;
    readonly start: WorkStart;
    readonly profile: Profile;
    readonly gate: unknown;
    readonly triesMax: number;
  }): Promise<void> {
    return this.#record(opening(about));
  }

  /** A new plan in place of the one that came to nothing. */
  replan(about: { plan: Plan; contract: string; number: number; failed: string; gate: unknown }) {
    return this.#record(replanning(about));
  }

  /** A subtask is given to a worker, because of this. */
  startTry(
    name: TryName,
    order: TryOrder,
    about: { proposal: string; retryOf?: string; why: string },
  ) {
    const artifact = json(artifactsOf(name.execution).order, order);
    return this.#record(starting(name, artifact, { ...about, tool: name.subtask, by: "worker" }));
  }

  /** Its worker has ended, and the runtime begins to prove what it left. */
  startProofs(name: TryName & { proof: string }, proposal: string, why: string): Promise<void> {
    const { subtask, execution, proof } = name;
    const about = { proposal, why, tool: `prove ${subtask}`, by: "prover" } as const;
    // What the worker was told to do is what the proofs are about; it is in the record already.
    const input = { name: artifactsOf(execution).order };
    return this.#record(starting({ subtask, execution: proof }, input, about));
  }

  /** A try has come to its end; with it everything that speaks for or against it. */
  endTry(end: TryEnd): Promise<void> {
    const names = artifactsOf(end.execution);
    const work = end.work === undefined ? [] : [json(names.work, end.work)];
    const proofs = end.proof && json(names.proofs, end.proof.found);
    return this.#record(finishing(end, work, proofs));
  }

  /** Ends what a killed runtime left open; where a try is meant, the proofs of that one alone. */
  async cutShort(why: string, proofsOf?: string): Promise<void> {
    const isMeant = (execution: string) =>
      proofsOf === undefined || execution.startsWith(`${proofsOf}.proof`);
    const requests = cutting(this.session, why, isMeant);
    if (requests.length > 0) await this.#record(requests);
  }

  /** A person lets a subtask through; the record says who and why. */
  waive(subtask: string, reason: string, expiresAt: string): Promise<void> {
    return this.#record([waiving(subtask, reason, expiresAt)]);
  }

  /** Something that was noticed, in the order in which it was. */
  note(text: string): Promise<void> {
    const actor = { agent: "lead", role: "planner" } as const;
    return this.#record([{ actor, type: "message_posted", body: { text: cut(text) } }]);
  }

  /** One step of putting it all together: what went in, and what came out. */
  async step(
    name: string,
    about: { proposal: string; why: string; input: unknown },
  ): Promise<void> {
    const artifact = json(artifactsOf(name).order, about.input);
    await this.#record(assembling(name, artifact, about));
  }

  endStep(name: string, out: unknown, how: Parameters<typeof auditing>[2]): Promise<void> {
    return this.#record([auditing(name, json(artifactsOf(name).work, out), how)]);
  }

  /** What is proven is claimed, with the evidence of both executions. */
  claim(claims: Parameters<typeof claiming>[0]): Promise<void> {
    return this.#record(claiming(claims));
  }

  /** Ends the session. */
  end(how: Parameters<typeof ending>[0]): Promise<void> {
    return this.#record(ending(how, this.session));
  }

  close(): void {
    this.#recorder.close();
  }

  /** What is asked for while another commit is written goes into the next one together. */
  #record(requests: readonly EventRequest[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#add({ requests, done: () => resolve(), failed: reject, isOfBeats: false });
    });
  }

  #add(one: Waiting): void {
    this.#waiting.push(one);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        const requests = group.flatMap((one) => one.requests);
        const options = { artifactRoots: [], fence: this.#held.fence };
        const { refusal } = await this.#recorder.record(requests, options);
        if (refusal === undefined) this.#held.note(requests);
        else if (group[0]?.isOfBeats !== true) throw this.#refused(refusal);
        for (const { done } of group) done(refusal);
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#isWriting = false;
  }

  /** All that waits, up to something about beats: that stands alone, because the fence changes with it. */
  #nextGroup(): Waiting[] {
    const first = this.#waiting.findIndex(({ isOfBeats }) => isOfBeats);
    return this.#waiting.splice(0, first < 0 ? this.#waiting.length : Math.max(1, first));
  }

  #refused({ reason }: Refusal): SwornError {
    const lost = this.#held.lost(this.trace, this.session?.cadence ?? emptyCadence());
    // We wrote the script; unless another runtime has taken over, a refusal is our own mistake.
    assert(lost !== undefined, `the protocol refuses: ${reason}`);
    return lost;
  }
}

interface Waiting {
  readonly requests: readonly EventRequest[];
  readonly done: (refusal?: Refusal) => void;
  readonly failed: (error: unknown) => void;
  /** Whether it is a beat, a status or the lead, of which a refusal is an answer. */
  readonly isOfBeats: boolean;
}
