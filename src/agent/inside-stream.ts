import type { AgentEvent, ErrorKind } from "../schema/agent.ts";
import type { LineSense } from "./json-lines.ts";
import { countOf, cut, type JsonObject, nameOf, textOf } from "./json-value.ts";
import { answerOf } from "./last-words.ts";

const KINDS: readonly ErrorKind[] = ["busy", "unavailable", "credential", "quota", "other"];
const MESSAGE_CHARS_MAX = 2_000;
const INPUT_CHARS_MAX = 4_100;

/**
 * The lines of our own programs that run inside: events as they are. They are read like anybody
 * else's, because what runs inside may have been talked into anything.
 */
export class InsideSense implements LineSense {
  #answer: string | undefined;

  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    // An answer is the last word: what goes on after it had not ended.
    this.#answer = undefined;
    if (line["kind"] === "answer") {
      this.#answer = textOf(line["text"]);
      return this.#answer === undefined ? undefined : [];
    }
    const event = eventOf(line);
    return event === undefined ? undefined : [event];
  }

  last(): AgentEvent[] {
    return this.#answer === undefined ? [] : [answerOf(this.#answer)];
  }
}

function eventOf(line: JsonObject): AgentEvent | undefined {
  switch (line["kind"]) {
    case "turn":
      return { kind: "turn" };
    case "text": {
      const text = textOf(line["text"]);
      return text === undefined ? undefined : { kind: "text", text };
    }
    case "tool":
      return {
        kind: "tool",
        name: nameOf(line["name"]),
        input: cut(textOf(line["input"]) ?? "", INPUT_CHARS_MAX),
      };
    case "tool_end":
      // Whatever does not say that it went well did not.
      return { kind: "tool_end", name: nameOf(line["name"]), failed: line["failed"] !== false };
    case "usage":
      return {
        kind: "usage",
        inputTokens: countOf(line["inputTokens"]),
        outputTokens: countOf(line["outputTokens"]),
        ...(line["microUsd"] === undefined ? {} : { microUsd: countOf(line["microUsd"]) }),
      };
    case "error":
      return {
        kind: "error",
        why: KINDS.find((kind) => kind === line["why"]) ?? "other",
        message: cut(textOf(line["message"]) ?? "no message", MESSAGE_CHARS_MAX),
      };
    default:
      return undefined;
  }
}
