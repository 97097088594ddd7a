import type { AgentEvent } from "../../schema/agent.ts";
import {
  countOf,
  inputOf,
  type JsonObject,
  nameOf,
  objectOf,
  objectsOf,
  textOf,
} from "../json-value.ts";
import { modelError } from "../model-error.ts";
import { OpenCalls } from "./open-calls.ts";
import { SpokenSense } from "./spoken-sense.ts";

/** How goose begins to speak when it is goose that speaks and not the model. */
const TROUBLE = /^(?:Ran into this error: |(?=Network error: ))/;

/**
 * goose's lines: `message` (text in pieces, `toolRequest`, `toolResponse`), `complete`. A failed
 * request is told as a message of the assistant that has no id, and the program exits with 0.
 */
export class GooseSense extends SpokenSense {
  readonly #calls = new OpenCalls();
  #isTurn = false;

  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    switch (line["type"]) {
      case "message":
        return this.#message(objectOf(line["message"]));
      case "complete":
        this.words.finish();
        return usageOf(line);
      case "error":
        this.words.clear();
        return [modelError(textOf(line["error"]) ?? textOf(line["message"]) ?? "no message")];
      case "notification":
        return [];
      default:
        return undefined;
    }
  }

  #message(message: JsonObject | undefined): AgentEvent[] | undefined {
    if (message === undefined || !Array.isArray(message["content"])) return undefined;
    const isOwn = message["id"] === null;
    const events: AgentEvent[] = [];
    for (const part of objectsOf(message["content"])) {
      const found = this.#part(part, isOwn);
      if (found === undefined) return undefined;
      events.push(...found);
    }
    return events;
  }

  #part(part: JsonObject, isOwn: boolean): AgentEvent[] | undefined {
    switch (part["type"]) {
      case "text":
        return this.#text(textOf(part["text"]) ?? "", isOwn);
      case "toolRequest": {
        this.words.clear();
        const call = objectOf(objectOf(part["toolCall"])?.["value"]);
        const name = nameOf(call?.["name"]);
        this.#calls.begin(part["id"], name);
        const tool = { kind: "tool" as const, name, input: inputOf(call?.["arguments"] ?? {}) };
        return [...this.#turn(), tool];
      }
      case "toolResponse": {
        this.#isTurn = false;
        const result = objectOf(part["toolResult"]);
        const hasFailed =
          result?.["status"] !== "success" || objectOf(result["value"])?.["isError"] === true;
        return this.#calls.end(part["id"], hasFailed);
      }
      case "thinking":
      case "redactedThinking":
      case "systemNotification":
        return [];
      default:
        return undefined;
    }
  }

  #text(text: string, isOwn: boolean): AgentEvent[] {
    if (isOwn && TROUBLE.test(text)) {
      this.words.clear();
      return [modelError(text.replace(TROUBLE, ""))];
    }
    this.words.add(text);
    return [...this.#turn(), { kind: "text", text }];
  }

  /** The stream has no turns: one begins when the model speaks after the tools did. */
  #turn(): AgentEvent[] {
    if (this.#isTurn) return [];
    this.#isTurn = true;
    return [{ kind: "turn" }];
  }
}

function usageOf(line: JsonObject): AgentEvent[] {
  const [inputTokens, outputTokens] = [
    countOf(line["input_tokens"]),
    countOf(line["output_tokens"]),
  ];
  return inputTokens + outputTokens === 0 ? [] : [{ kind: "usage", inputTokens, outputTokens }];
}
