import {
  type ReadAnswer,
  STEPS,
  type StepName,
  TRIES_MAX,
  withFeedback,
} from "../../../plan/planner/index.ts";
import { COUNTED_BY, type CountedBy } from "../../agent/ceiling.ts";
import { type AnswerBook, askedKey } from "./answer-book.ts";
import { type Ask, type Heard, NOBODY } from "./ask.ts";

/** What one kind of run used, of what it had. */
export interface StepUse {
  readonly step: StepName;
  readonly phase: number;
  readonly title: string;
  readonly runs: number;
  /** Answers that an earlier planning had already. */
  readonly recalled: number;
  readonly tool_calls: number;
  /** What each run of it may use; null where no agent is asked. */
  readonly tool_calls_each: number | null;
  /** How they were counted, the weakest way of all its runs; null where there was none. */
  readonly counted_by: CountedBy | null;
  /** Runs that were ended because they went beyond that. */
  readonly ended: number;
  readonly ms: number;
}

/** Nothing that could be used came in all tries. */
export interface Unusable {
  readonly kind: "unusable";
  readonly step: StepName;
  readonly violations: readonly string[];
}

export type Taken<T> = { readonly kind: "taken"; readonly value: T } | Unusable;

/** How an answer is read, and what holds where a budget was a hard stop. */
export interface Reading<T> {
  readonly read: (text: string) => ReadAnswer<T>;
  readonly unverified?: T;
}

interface StepsOptions {
  readonly ask: Ask;
  readonly record: AnswerBook;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/**
 * Asks for one answer after the other, each in a run of its own. An answer that breaks its form goes
 * back with what was wrong, three times at most; a run that goes beyond its budget is no answer.
 */
export class PlannerSteps {
  readonly #options: StepsOptions;
  readonly #uses = new Map<StepName, { -readonly [K in keyof StepUse]: StepUse[K] }>();

  constructor(options: StepsOptions) {
    this.#options = options;
  }

  /** In the order of the phases, those included that need no agent. */
  get uses(): readonly StepUse[] {
    const names = Object.keys(STEPS) as StepName[];
    return names.map((step) => ({ ...this.#useOf(step) }));
  }

  async take<T>(step: StepName, prompt: string, reading: Reading<T>): Promise<Taken<T>> {
    const recalled = this.#options.record.recall(step, prompt);
    const known = recalled === undefined ? undefined : reading.read(recalled).value;
    if (known === undefined) return this.#takeNew(step, prompt, reading);
    this.#useOf(step).recalled += 1;
    return { kind: "taken", value: known };
  }

  async #takeNew<T>(
    step: StepName,
    prompt: string,
    { read, unverified }: Reading<T>,
  ): Promise<Taken<T>> {
    const { record, onStep } = this.#options;
    const key = askedKey(step, prompt);
    let asked = prompt;
    let violations: readonly string[] = [];
    for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
      const heard = await this.#heard(step, asked);
      const refused = this.#whyNone(step, heard);
      const answer = refused === undefined ? read(heard.text) : none<T>(refused);
      violations = answer.violations;
      await record.heard({ step, key, prompt: asked, heard, attempt, violations });
      if (answer.value !== undefined) return { kind: "taken", value: answer.value };
      onStep(`${step}, try ${attempt} of ${TRIES_MAX}: ${violations[0]}`);
      if (unverified !== undefined && this.#isOver(step, heard)) {
        await this.#substitute(step, { key, prompt, attempt, value: unverified });
        return { kind: "taken", value: unverified };
      }
      asked = withFeedback(prompt, { answer: heard.text, violations });
    }
    return { kind: "unusable", step, violations };
  }

  async #heard(step: StepName, prompt: string): Promise<Heard> {
    const { ask, signal, onStep } = this.#options;
    signal.throwIfAborted();
    const { toolCalls = 0, title, phase } = STEPS[step];
    onStep(`phase ${phase}, ${title}: at most ${toolCalls} tool uses`);
    const heard = await ask({ step, prompt, toolCalls, signal });
    const use = this.#useOf(step);
    use.runs += 1;
    use.tool_calls += heard.toolCalls;
    use.ms += heard.ms;
    use.counted_by = weakest(use.counted_by, heard.countedBy);
    if (heard.countedBy === "nothing") onStep(`${step}: its uses of tools could not be counted`);
    if (this.#isOver(step, heard)) use.ended += 1;
    return heard;
  }

  /** By our own count too: an agent that was quicker than the stop has gone beyond all the same. */
  #isOver(step: StepName, { toolCalls }: Heard): boolean {
    return toolCalls > (STEPS[step].toolCalls ?? 0);
  }

  #whyNone(step: StepName, heard: Heard): string | undefined {
    if (!this.#isOver(step, heard)) return heard.failure;
    const { toolCalls = 0 } = STEPS[step];
    const what =
      heard.countedBy === "told"
        ? `used ${heard.toolCalls} tools`
        : `started ${heard.toolCalls} programs, each of which counts as a tool,`;
    return `it ${what} where ${toolCalls} are allowed, and was ended`;
  }

  /** What holds where nothing was found out is recorded too: nobody gets a second budget for it. */
  async #substitute<T>(
    step: StepName,
    { key, prompt, attempt, value }: { key: string; prompt: string; attempt: number; value: T },
  ): Promise<void> {
    const text = JSON.stringify(value);
    const heard = { ...NOBODY, text };
    await this.#options.record.heard({
      step,
      key,
      prompt,
      heard,
      attempt: attempt + 1,
      violations: [],
    });
  }

  #useOf(step: StepName) {
    const { phase, title, toolCalls } = STEPS[step];
    const fresh = { step, phase, title, runs: 0, recalled: 0, tool_calls: 0, ended: 0, ms: 0 };
    const known = this.#uses.get(step);
    const use = known ?? { ...fresh, tool_calls_each: toolCalls ?? null, counted_by: null };
    this.#uses.set(step, use);
    return use;
  }
}

function weakest(known: CountedBy | null, now: CountedBy): CountedBy {
  const [a, b] = [known ?? now, now].map((one) => COUNTED_BY.indexOf(one));
  return COUNTED_BY[Math.max(a ?? 0, b ?? 0)] ?? now;
}

function none<T>(why: string): ReadAnswer<T> {
  return { value: undefined, violations: [why] };
}
