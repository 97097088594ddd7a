import type { AgentEvent } from "../../schema/agent.ts";
import { OpenCalls } from "../cli/open-calls.ts";
import { inputOf, type JsonObject, microUsdOf, nameOf, objectOf, textOf } from "../json-value.ts";
import { LastWords } from "../last-words.ts";
import { modelError } from "../model-error.ts";

/** How goose begins to speak when it is goose that speaks and not the model. */
const TROUBLE = "Ran into this error: ";

/**
 * What an agent tells while it works. Some report a refused credential as words of their own and a
 * turn that ended well: those words are an error, and no answer.
 */
export class AcpUpdates {
  readonly #words = new LastWords();
  readonly #calls = new OpenCalls();
  #isTurn = false;
  /** Whether the last thing it said was that something went wrong. */
  hasFailed = false;
  /** What all of it cost so far, as the agent tells it. */
  #microUsd: number | undefined;

  eventsOf(update: JsonObject): AgentEvent[] {
    switch (update["sessionUpdate"]) {
      case "agent_message_chunk":
        return this.#text(textOf(objectOf(update["content"])?.["text"]) ?? "");
      case "tool_call":
        return [...this.#begin(update), ...this.#progress(update)];
      case "tool_call_update":
        return this.#progress(update);
      case "usage_update":
        return this.#cost(objectOf(update["cost"]));
      default:
        // Thoughts, plans, modes and what is added later: nothing that counts.
        return [];
    }
  }

  /** The answer, once the agent says that its turn ended well. Undefined when there is none. */
  answer(): AgentEvent | undefined {
    if (this.hasFailed) return undefined;
    this.#words.finish();
    return this.#words.answer()[0];
  }

  /** Told at once, as what came on top: a ceiling of money that hears of it at the end holds for nothing. */
  #cost(cost: JsonObject | undefined): AgentEvent[] {
    const all = cost?.["currency"] === "USD" ? microUsdOf(cost["amount"]) : undefined;
    if (all === undefined || all <= (this.#microUsd ?? -1)) return [];
    const microUsd = all - (this.#microUsd ?? 0);
    this.#microUsd = all;
    return [{ kind: "usage", inputTokens: 0, outputTokens: 0, microUsd }];
  }

  #text(text: string): AgentEvent[] {
    if (text === "") return [];
    if (text.trimStart().startsWith(TROUBLE)) {
      this.#words.clear();
      this.hasFailed = true;
      return [modelError(text.trimStart().slice(TROUBLE.length))];
    }
    this.hasFailed = false;
    this.#words.add(text);
    return [...this.#turn(), { kind: "text", text }];
  }

  #begin(call: JsonObject): AgentEvent[] {
    this.#words.clear();
    const name = nameOf(call["title"] ?? call["kind"]);
    this.#calls.begin(call["toolCallId"], name);
    return [...this.#turn(), { kind: "tool", name, input: inputOf(call["rawInput"] ?? {}) }];
  }

  #progress({ toolCallId, status }: JsonObject): AgentEvent[] {
    const isOver = status === "completed" || status === "failed";
    if (!isOver || !this.#calls.has(toolCallId)) return [];
    this.#isTurn = false;
    return this.#calls.end(toolCallId, status === "failed");
  }

  /** The protocol has no turns of the model: one begins when it speaks after the tools did. */
  #turn(): AgentEvent[] {
    if (this.#isTurn) return [];
    this.#isTurn = true;
    return [{ kind: "turn" }];
  }
}
