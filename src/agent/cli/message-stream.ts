import type { AgentEvent } from "../../schema/agent.ts";
import type { LineSense } from "../json-lines.ts";
import {
  countOf,
  inputOf,
  type JsonObject,
  microUsdOf,
  nameOf,
  objectOf,
  objectsOf,
  textOf,
} from "../json-value.ts";
import { answerOf } from "../last-words.ts";
import { modelError } from "../model-error.ts";
import { tellsFailure } from "./exit-words.ts";
import { OpenCalls } from "./open-calls.ts";

const QUIET = new Set<unknown>([
  "stream_event",
  "tool_progress",
  "tool_use_summary",
  "rate_limit_event",
  "keep_alive",
]);

/**
 * The lines of Claude Code and Qwen Code: `system`, `assistant`, `user`, `result`. One message of
 * the model comes as several lines, one for each part, all with the same id and the same usage.
 */
export class MessageSense implements LineSense {
  readonly #calls = new OpenCalls();
  readonly #mark: string | undefined;
  #message: string | undefined;
  #told = { input: 0, output: 0 };
  #isOpen = false;

  /**
   * @param mark how trouble with the service begins inside the model's own text, for an agent that
   *   calls even that a success.
   */
  constructor(mark?: string) {
    this.#mark = mark;
  }

  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    if (QUIET.has(line["type"])) return [];
    switch (line["type"]) {
      case "system":
        return systemEvents(line);
      case "assistant":
        this.#isOpen = true;
        return this.#assistant(objectOf(line["message"]), textOf(line["error"]));
      case "user":
        return this.#results(objectOf(line["message"]));
      case "result":
        this.#isOpen = false;
        return this.#result(line);
      default:
        return undefined;
    }
  }

  /** Only the line `result` tells an answer: without one the agent did not come to its end. */
  last(): AgentEvent[] {
    return [];
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  #assistant(message: JsonObject | undefined, error: string | undefined): AgentEvent[] | undefined {
    if (message === undefined || !Array.isArray(message["content"])) return undefined;
    const events = this.#begin(message);
    for (const part of objectsOf(message["content"])) {
      if (part["type"] === "text") {
        const text = textOf(part["text"]) ?? "";
        // Errors of the service are put into the model's mouth, with a mark beside them.
        events.push(error === undefined ? { kind: "text", text } : modelError(`${error}: ${text}`));
      } else if (part["type"] === "tool_use") {
        const name = nameOf(part["name"]);
        this.#calls.begin(part["id"], name);
        events.push({ kind: "tool", name, input: inputOf(part["input"] ?? {}) });
      }
    }
    return events;
  }

  /** A new id is a new turn, and its usage counts once. */
  #begin(message: JsonObject): AgentEvent[] {
    const id = textOf(message["id"])?.slice(0, ID_CHARS_MAX);
    if (id !== undefined && id === this.#message) return [];
    this.#message = id;
    const [input, output] = tokensOf(objectOf(message["usage"]));
    this.#told = { input: this.#told.input + input, output: this.#told.output + output };
    if (input + output === 0) return [{ kind: "turn" }];
    return [{ kind: "turn" }, { kind: "usage", inputTokens: input, outputTokens: output }];
  }

  #results(message: JsonObject | undefined): AgentEvent[] | undefined {
    if (message === undefined) return undefined;
    return objectsOf(message["content"])
      .filter((part) => part["type"] === "tool_result")
      .flatMap((part) => {
        const failed = part["is_error"] === true || tellsFailure(part["content"]);
        return this.#calls.end(part["tool_use_id"], failed);
      });
  }

  /** The sum at the end counts: what was not told on the way is added here, with the price. */
  #result(line: JsonObject): AgentEvent[] {
    const usage = this.#rest(line);
    const text = textOf(line["result"]);
    if (line["is_error"] === true || line["subtype"] !== "success") {
      const why = textOf(objectOf(line["error"])?.["message"]) ?? text ?? textOf(line["subtype"]);
      return [...usage, modelError(why ?? "no message")];
    }
    const trouble = this.#troubleIn(text ?? "");
    if (trouble !== undefined) return [...usage, modelError(trouble)];
    return text === undefined || text.trim() === "" ? usage : [...usage, answerOf(text)];
  }

  #rest(line: JsonObject): AgentEvent[] {
    const [input, output] = tokensOf(objectOf(line["usage"]));
    const inputTokens = Math.max(0, input - this.#told.input);
    const outputTokens = Math.max(0, output - this.#told.output);
    this.#told = { input: 0, output: 0 };
    const microUsd = microUsdOf(line["total_cost_usd"]);
    if (inputTokens + outputTokens === 0 && microUsd === undefined) return [];
    const cost = microUsd === undefined ? {} : { microUsd };
    return [{ kind: "usage", inputTokens, outputTokens, ...cost }];
  }

  #troubleIn(text: string): string | undefined {
    const end = text.trimEnd();
    const at = this.#mark === undefined ? -1 : end.lastIndexOf(this.#mark);
    return at < 0 || !end.endsWith("]") ? undefined : end.slice(at + 1, -1);
  }
}

const ID_CHARS_MAX = 200;

/** Requests that are tried again are told in between, with their status. */
function systemEvents(line: JsonObject): AgentEvent[] {
  if (line["subtype"] !== "api_retry") return [];
  const status = typeof line["error_status"] === "number" ? line["error_status"] : undefined;
  return [modelError(textOf(line["error"]) ?? "a request is tried again", status)];
}

function tokensOf(usage: JsonObject | undefined): [input: number, output: number] {
  return [
    countOf(
      usage?.["input_tokens"],
      usage?.["cache_creation_input_tokens"],
      usage?.["cache_read_input_tokens"],
    ),
    countOf(usage?.["output_tokens"]),
  ];
}
