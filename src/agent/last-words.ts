import type { AgentEvent } from "../schema/agent.ts";
import { cut } from "./json-value.ts";

const ANSWER_CHARS_MAX = 1 << 20;

/** Puts an agent's answer together from what it says last, for streams that do not name it. */
export class LastWords {
  #pieces: string[] = [];
  #chars = 0;
  #isOver = false;
  /** Whether something came since it said last that it was done, or that it could not go on. */
  isOpen = false;

  /** More of the same speech; what goes beyond the bound is only counted. */
  add(text: string): void {
    if (this.#chars <= ANSWER_CHARS_MAX) this.#pieces.push(text);
    this.#chars += text.length;
    this.#isOver = false;
    this.isOpen = true;
  }

  /** Something came in between: what was said so far was not the end. */
  clear(): void {
    this.#pieces = [];
    this.#chars = 0;
    this.#isOver = false;
    this.isOpen = true;
  }

  /** The agent says that it is done. One that was stopped in the middle has given no answer. */
  finish(): void {
    this.#isOver = true;
    this.isOpen = false;
  }

  /** An error came: what was said is an answer only if the agent says again that it is done. */
  reopen(): void {
    this.#isOver = false;
    this.isOpen = false;
  }

  /** The answer, where there is one; told once. */
  answer(): AgentEvent[] {
    const text = this.#isOver ? this.#pieces.join("") : "";
    const { isOpen } = this;
    this.clear();
    this.isOpen = isOpen;
    return text.trim() === "" ? [] : [answerOf(text)];
  }
}

/** An answer as the agent itself names it. */
export function answerOf(text: string): AgentEvent {
  return { kind: "answer", text: cut(text, ANSWER_CHARS_MAX) };
}
