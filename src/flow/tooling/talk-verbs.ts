import { SwornError } from "../../base/index.ts";
import { mayOverride } from "../../scan/override/index.ts";
import type { VerbAnswer, VerbArgs } from "../../schema/tooling.ts";
import type { BusMessage, Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { answerAsAgent } from "../talk/answer-as-agent.ts";
import { ask, assertAhead, questionsOf, takeDefaults } from "../talk/ask.ts";
import { askAboutOverrides } from "../talk/ask-about-overrides.ts";
import { type Author, Bus, isRefused } from "../talk/bus.ts";
import { addFact, factsOf, toldSuggestion } from "../talk/facts.ts";
import { enrolAgent } from "../talk/join.ts";
import { post } from "../talk/post.ts";
import { readBus, readMessage } from "../talk/read-bus.ts";
import { renderState } from "../talk/render-talk.ts";
import { stateOf } from "../talk/task-state.ts";
import type { Speaker } from "./speaker.ts";

type Scope = "task" | "project";

/** What one answer holds of texts, and what a message takes besides its text. */
const PAGE_BYTES_MAX = 1 << 19;
const MESSAGE_BYTES = 500;
const ENDED_MAX = 100;

/** Speaking and reading on the buses of one place, each of which stays open until the end. */
export class TalkVerbs {
  readonly #place: Place;
  readonly #open = new Map<string, Promise<Bus>>();

  constructor(place: Place) {
    this.#place = place;
  }

  async post(
    { scope, ...saying }: VerbArgs<"bus.post">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"bus.post"> | Refusal> {
    const bus = await this.#joined(scope, speaker);
    if (!(bus instanceof Bus)) return bus;
    const said = await post(bus, authorOf(speaker), saying);
    return isRefused(said) ? said : { id: said.id, task: bus.task ?? null };
  }

  async read(
    { scope, since, message, limit }: VerbArgs<"bus.read">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"bus.read">> {
    const bus = await this.found(scope, speaker);
    const task = taskOf(scope, speaker) ?? null;
    if (bus && message !== undefined) {
      const { answered_in: _, attachment: __, ...whole } = readMessage(bus, message);
      return { messages: [told(whole)], more: false, task };
    }
    const all = bus === undefined ? [] : readBus(bus, { since });
    const messages = pageOf(all, limit);
    return { messages: messages.map(told), more: all.length > messages.length, task };
  }

  async ask(
    { question, id: question_id, text = "", default: assumed = "", ...more }: VerbArgs<"ask">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"ask"> | Refusal> {
    if (question !== undefined) return this.#answerTo(question, speaker);
    assertAhead(more.deadline, this.#place.clock());
    const bus = await this.#joined("task", speaker);
    if (!(bus instanceof Bus)) return bus;
    const asking = { text, default: assumed, question_id, ...more };
    const asked = await ask(bus, authorOf(speaker), asking);
    if (isRefused(asked)) return asked;
    const { id } = asked;
    return { question: asked.question_id, id, state: "open", answer: null, by: null };
  }

  /** Nothing is begun for it: a bus on which nobody spoke has no question. */
  async answer(
    { question, text, scope }: VerbArgs<"answer">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"answer"> | Refusal> {
    if ((await this.found(scope, speaker)) === undefined) throw neverAsked(question);
    const bus = await this.#joined(scope, speaker);
    if (!(bus instanceof Bus)) return bus;
    const said = await answerAsAgent(bus, authorOf(speaker), question, text);
    if (isRefused(said)) return said;
    return { question: said.question_id, id: said.id, task: bus.task ?? null };
  }

  /** From an agent it is a suggestion: what becomes a fact is the lead's decision. */
  async propose(
    fact: VerbArgs<"facts.propose">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"facts.propose"> | Refusal> {
    const bus = await this.#joined("task", speaker);
    if (!(bus instanceof Bus)) return bus;
    const added = await addFact(bus, authorOf(speaker), fact);
    return isRefused(added) ? added : { id: added.id, task: bus.task ?? null };
  }

  async facts(
    { scope }: VerbArgs<"facts.read">,
    speaker: Speaker,
  ): Promise<VerbAnswer<"facts.read">> {
    const bus = await this.found(scope, speaker);
    const { facts, suggested } = bus ? factsOf(bus) : { facts: [], suggested: [] };
    return {
      suggested: suggested.map(toldSuggestion),
      facts: facts.map(({ fact_id, scope: of, title, text, at, by }) => ({
        ...{ id: fact_id, scope: of, title, text, at, agent: by },
      })),
    };
  }

  async state(speaker: Speaker): Promise<VerbAnswer<"state.read">> {
    const bus = await this.found("task", speaker);
    if (bus === undefined) {
      return { markdown: "Nothing was said about this task yet.\n", state: null };
    }
    await takeDefaults(bus);
    const { runs, open_questions, ...state } = stateOf(bus);
    return {
      markdown: renderState(bus).text,
      state: {
        ...state,
        runs: { total: runs.total, running: [...runs.running], ended: endedRuns(bus) },
        open_questions: open_questions.map(({ question_id, text, to }) => ({
          question_id,
          text,
          to: [...to],
        })),
      },
    };
  }

  /** Asks people about words of a speaker that would steer whoever reads them as a prompt. */
  async lookAt({ task }: Speaker, source: string, text: string): Promise<void> {
    // Nothing is begun for a text in which there is nothing.
    if (mayOverride(text)) await askAboutOverrides(await this.#begun(task), source, text);
  }

  /** A bus as it stands; undefined where nobody has spoken yet. Reading begins nothing. */
  async found(scope: Scope, speaker: Speaker): Promise<Bus | undefined> {
    const task = taskOf(scope, speaker);
    const open = this.#open.get(task ?? "");
    if (open) return open;
    const bus = Bus.find({ place: this.#place, task });
    if (bus) this.#open.set(task ?? "", Promise.resolve(bus));
    return bus;
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) {
      // One that could not be opened has nothing to close.
      (await opening.catch(() => undefined))?.close();
    }
  }

  /** The bus with the speaker on it: whoever has a way to speak was let in by the runtime. */
  async #joined(scope: Scope, speaker: Speaker): Promise<Bus | Refusal> {
    const { agent, role } = speaker;
    const bus = await this.#begun(taskOf(scope, speaker));
    if (role === "operator" || role === "runtime") return bus;
    return (await enrolAgent(bus, agent, [role])) ?? bus;
  }

  #begun(task: string | undefined): Promise<Bus> {
    const key = task ?? "";
    const open = this.#open.get(key);
    if (open) return open;
    const opening = Bus.begin({ place: this.#place, task });
    this.#open.set(key, opening);
    // Whoever tries again gets another try.
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  async #answerTo(wanted: string, speaker: Speaker): Promise<VerbAnswer<"ask">> {
    const bus = await this.found("task", speaker);
    if (bus) await takeDefaults(bus);
    const asked = (bus ? questionsOf(bus) : []).find(
      ({ question_id, id }) => question_id === wanted || id === wanted,
    );
    if (asked === undefined) throw neverAsked(wanted);
    const { question_id, id, state, answer, answered_by } = asked;
    return { question: question_id, id, state, answer, by: answered_by };
  }
}

function neverAsked(wanted: string): SwornError {
  return new SwornError("NOT_FOUND", `no question "${wanted}" was asked here`);
}

function endedRuns(bus: Bus): string[] {
  const ended = [...bus.talk().runs.values()].filter(({ end }) => end !== undefined);
  return ended.slice(-ENDED_MAX).map(({ run_id }) => run_id);
}

/** The first messages, as many as were asked for and fit into one answer; at least one. */
function pageOf(all: readonly BusMessage[], limit: number): readonly BusMessage[] {
  let bytes = 0;
  const end = all.findIndex(({ text }, index) => {
    bytes += Buffer.byteLength(text) + MESSAGE_BYTES;
    return index > 0 && (bytes > PAGE_BYTES_MAX || index >= limit);
  });
  return end < 0 ? all.slice(0, limit) : all.slice(0, end);
}

function told({
  parents,
  meta,
  ...message
}: BusMessage): VerbAnswer<"bus.read">["messages"][number] {
  return {
    ...message,
    parents: [...parents],
    ...(meta === undefined ? {} : { meta: { ...meta } }),
  };
}

const authorOf = ({ agent, role, run }: Speaker): Author => ({ agent, role, run });

function taskOf(scope: Scope, { task }: Speaker): string | undefined {
  if (scope === "project") return undefined;
  if (task !== undefined) return task;
  const message = "no task is being worked on here: name one with --task, or take the project's";
  throw new SwornError("INPUT_INVALID", message);
}
