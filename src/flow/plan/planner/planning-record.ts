import { resolve } from "node:path";
import { assert, SwornError, sha256Hex } from "../../../base/index.ts";
import { redactionHash } from "../../../keyring/index.ts";
import { STEPS, type StepName } from "../../../plan/planner/index.ts";
import { redact } from "../../../scan/classify/index.ts";
import type { EventRequest, RequestedArtifact } from "../../../schema/index.ts";
import type { Verimap } from "../../../schema/plan.ts";
import type { Place } from "../../place.ts";
import { cut } from "../../record/entry-text.ts";
import { Recorder } from "../../record/recorder.ts";
import { type AnswerBook, askedKey, type RecordedAnswer } from "./answer-book.ts";
import { NOBODY } from "./ask.ts";
import { planText } from "./hand-over.ts";
import {
  ENDED,
  findPlanningTrace,
  isOwnTrace,
  pointToPlanning,
  type Recalled,
  recallPlanning,
} from "./recall-planning.ts";

const LEAD = { agent: "lead", role: "planner" } as const;
const GATE = { agent: "gate", role: "critic" } as const;
const WORKER = { agent: "worker", role: "executor" } as const;
const AUDITOR = { agent: "auditor", role: "auditor" } as const;
const OPERATOR = { agent: "operator", role: "operator" } as const;
const UNITS_MAX = 100;

/** Whose planning it is. */
export interface PlanningSubject {
  readonly place: Place;
  readonly task: string;
  readonly request: string;
  readonly agent: string;
}

/** What the gate said about a plan, as far as the record keeps it. */
interface Judged {
  readonly ready: boolean;
  readonly points: number;
}

/**
 * Writes a planning into a trace: a message with prompt and answer for each run, a proposal for each
 * plan that came of them, and the gate's word as its review. A planning that was cut short goes on in
 * its trace, and what was answered there is not asked again.
 */
export class PlanningRecord implements AnswerBook {
  readonly #subject: PlanningSubject;
  readonly #recalled: Recalled;
  readonly #hash: (text: string) => string;
  #recorder: Recorder | undefined;
  /** One after the other: runs end at the same time. */
  #last: Promise<unknown> = Promise.resolve();
  /** What an earlier trace answered and this one has to hold too, once it begins. */
  #carried: EventRequest[] = [];

  private constructor(subject: PlanningSubject, recalled: Recalled, recorder?: Recorder) {
    const { place } = subject;
    this.#subject = subject;
    this.#recalled = recalled;
    this.#recorder = recorder;
    this.#hash = redactionHash(place.keyFolder, resolve(place.store));
  }

  /** Opens the planning of a task; what an earlier one answered to the same questions is known. */
  static open(subject: PlanningSubject): PlanningRecord {
    const { place, task } = subject;
    const trace = findPlanningTrace(place, task);
    if (trace === undefined || !isOwnTrace(place, trace)) {
      return new PlanningRecord(subject, { answers: new Map() });
    }
    const recorder = Recorder.resume(place, trace);
    try {
      const recalled = recallPlanning(place, trace);
      const { state } = recorder.session ?? {};
      const isSame = recalled.objective === objectiveOf(subject);
      if (isSame && (state === "planning" || state === "reviewing")) {
        return new PlanningRecord(subject, recalled, recorder);
      }
      recorder.close();
      return new PlanningRecord(subject, recalled);
    } catch (error) {
      recorder.close();
      throw error;
    }
  }

  /** The trace that holds it; undefined as long as there is nothing to hold. */
  get trace(): string | undefined {
    return this.#recorder?.id ?? this.#recalled.trace;
  }

  /** What was answered to the same question before. */
  recall(step: StepName, prompt: string): string | undefined {
    const key = askedKey(step, prompt);
    const text = this.#recalled.answers.get(key);
    if (text === undefined || this.#recorder !== undefined) return text;
    const heard = { ...NOBODY, text };
    const carried = { step, key, prompt, heard, attempt: 1, violations: [] };
    this.#carried.push(this.#message(carried, `carried over from ${this.#recalled.trace}`));
    return text;
  }

  /** Keeps an answer, also one that is none. */
  async heard(answer: RecordedAnswer): Promise<void> {
    await this.#record([this.#message(answer)]);
  }

  /** Keeps a plan and what the gate says about it; one that is there already is left alone. */
  async proposed(plan: Verimap, report: Judged, why: string): Promise<void> {
    const text = this.#clean(planText(plan));
    const digest = sha256Hex(text);
    if (this.#recorder === undefined && this.#recalled.lastPlan === digest) return;
    await this.#turn(async () => {
      const recorder = await this.#begin();
      const id = `plan-${(recorder.session?.proposals.size ?? 0) + 1}`;
      await this.#append(recorder, proposal(id, plan, text), reviewOf(id, report, why));
    });
  }

  /** Says how the planning ended; one that never says so was cut short. */
  async ended(verdict: string): Promise<void> {
    if (this.#recorder === undefined) return;
    const text = `The planning ended: ${verdict}`;
    const body = { kind: "DECISION" as const, text, meta: { [ENDED]: verdict } };
    await this.#record([{ actor: LEAD, type: "message_posted", body }]);
  }

  close(): void {
    this.#recorder?.close();
  }

  async #record(requests: readonly EventRequest[]): Promise<void> {
    await this.#turn(async () => this.#append(await this.#begin(), ...requests));
  }

  async #turn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    await turn;
  }

  async #begin(): Promise<Recorder> {
    if (this.#recorder !== undefined) return this.#recorder;
    const { place, task } = this.#subject;
    const recorder = Recorder.start(place);
    const agents = [LEAD, GATE, WORKER, AUDITOR, OPERATOR];
    const first: EventRequest = {
      actor: LEAD,
      type: "session_initialized",
      body: {
        task: "plan",
        objective: objectiveOf(this.#subject),
        profile: "solo",
        agents: agents.map(({ agent, role }) => ({ agent, roles: [role] })),
      },
      artifacts: [this.#json("request.json", this.#asked)],
    };
    await this.#append(recorder, first, ...this.#carried);
    this.#carried = [];
    pointToPlanning(place, task, recorder.id);
    this.#recorder = recorder;
    return recorder;
  }

  async #append(recorder: Recorder, ...requests: readonly EventRequest[]): Promise<void> {
    const { refusal } = await recorder.record(requests, { artifactRoots: [] });
    if (refusal?.rule === "IDENTITY_GUARD") {
      const { task } = this.#subject;
      throw new SwornError("LEDGER_BUSY", `${task} is planned somewhere else right now; try again`);
    }
    // We wrote the script; any other refusal is our mistake and nobody else's.
    assert(refusal === undefined, `the protocol refuses: ${refusal?.reason}`);
  }

  #message(answer: RecordedAnswer, note = ""): EventRequest {
    const { step, key, prompt, heard, attempt, violations } = answer;
    const isTaken = violations.length === 0;
    const name = `${step}.${key.slice(0, 16)}.${attempt}`;
    const words = isTaken ? "taken" : `refused: ${violations.slice(0, 5).join("; ")}`;
    return {
      actor: LEAD,
      type: "message_posted",
      body: {
        kind: "PROGRESS",
        text: cut(`${step}, try ${attempt}: ${words}${note === "" ? "" : ` (${note})`}`),
        meta: {
          ...{ step, key, agent: this.#subject.agent, taken: isTaken ? "yes" : "no" },
          ...{ tool_calls: String(heard.toolCalls), ms: String(heard.ms) },
          tool_calls_max: String(STEPS[step].toolCalls ?? 0),
          ...(heard.run === undefined ? {} : { run: heard.run, tool_calls_by: heard.countedBy }),
        },
      },
      artifacts: [this.#exchange(`${name}.json`, prompt, heard.text)],
    };
  }

  /** All that whoever goes on needs. */
  get #asked() {
    const { request, agent } = this.#subject;
    return { request: this.#clean(request), agent };
  }

  #exchange(name: string, prompt: string, answer: string): RequestedArtifact {
    return this.#json(name, { prompt: this.#clean(prompt), answer: this.#clean(answer) });
  }

  #json(name: string, value: unknown): RequestedArtifact {
    return { name, text: `${JSON.stringify(value)}\n`, media_type: "application/json" };
  }

  /** A trace is handed on for years, so secrets leave a text before it is stored. */
  #clean(text: string): string {
    return redact(text.toWellFormed(), { hash: this.#hash }).text;
  }
}

function objectiveOf({ task, request }: PlanningSubject): string {
  return cut(`The plan of ${task} (${sha256Hex(request)}): ${request}`);
}

function proposal(proposal_id: string, plan: Verimap, text: string): EventRequest {
  return {
    actor: LEAD,
    type: "proposal_created",
    body: {
      proposal_id,
      units: plan.subtasks.slice(0, UNITS_MAX).map((subtask) => ({
        objective: cut(`${subtask.id} ${subtask.name}`),
        assumptions: [],
        required_tools: [WORKER.agent],
        expected_evidence: [`what the checks of ${subtask.id} give`],
      })),
    },
    artifacts: [{ name: `${proposal_id}.json`, text, media_type: "application/json" }],
  };
}

function reviewOf(proposal_id: string, { ready, points }: Judged, why: string): EventRequest {
  return {
    actor: GATE,
    type: "proposal_reviewed",
    body: {
      proposal_id,
      proposal_status: ready ? "approved" : "rejected",
      risk_assessment: `${points} of 100 points, 90 are needed`,
      rationale: cut(why),
    },
  };
}
