import type { AgentEvent } from "../../schema/agent.ts";
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
import { modelError } from "../model-error.ts";
import { SpokenSense } from "./spoken-sense.ts";

/** Lines whose content comes again, or that only say that something goes on. */
const QUIET = new Set<unknown>([
  "session",
  "agent_start",
  "turn_end",
  "message_start",
  "message_update",
  "tool_execution_update",
  "queue_update",
  "compaction_start",
  "compaction_end",
  "auto_retry_start",
]);

const ECHO = /^\{"type":"(?:message_update|turn_end|agent_end)"/;

/**
 * pi's lines. The text of each message counts when it has ended: before that every piece comes with
 * the whole message so far, so that a long message makes a stream as its square.
 */
export class PiSense extends SpokenSense {
  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    if (QUIET.has(line["type"])) return [];
    switch (line["type"]) {
      case "agent_end":
        this.words.finish();
        return [];
      case "turn_start":
        return [{ kind: "turn" }];
      case "message_end":
        return this.#message(objectOf(line["message"]));
      case "tool_execution_start":
        this.words.clear();
        return [
          { kind: "tool", name: nameOf(line["toolName"]), input: inputOf(line["args"] ?? {}) },
        ];
      case "tool_execution_end":
        return [
          { kind: "tool_end", name: nameOf(line["toolName"]), failed: line["isError"] === true },
        ];
      case "auto_retry_end":
        return line["success"] === true
          ? []
          : [modelError(textOf(line["finalError"]) ?? "no message")];
      default:
        return undefined;
    }
  }

  /** The end repeats the whole session, however long that was: only that it came is new. */
  isEcho(beginning: string): boolean {
    if (beginning.startsWith('{"type":"agent_end"')) this.words.finish();
    return ECHO.test(beginning);
  }

  #message(message: JsonObject | undefined): AgentEvent[] | undefined {
    if (message === undefined) return undefined;
    if (message["role"] !== "assistant") return [];
    this.words.clear();
    const events: AgentEvent[] = [];
    for (const part of objectsOf(message["content"])) {
      const text = part["type"] === "text" ? textOf(part["text"]) : undefined;
      if (text === undefined || text === "") continue;
      this.words.add(text);
      events.push({ kind: "text", text });
    }
    events.push(...usageOf(objectOf(message["usage"])));
    if (message["stopReason"] === "error" || message["stopReason"] === "aborted") {
      this.words.clear();
      events.push(modelError(textOf(message["errorMessage"]) ?? "no message"));
    }
    return events;
  }
}

function usageOf(usage: JsonObject | undefined): AgentEvent[] {
  const inputTokens = countOf(usage?.["input"], usage?.["cacheRead"], usage?.["cacheWrite"]);
  const outputTokens = countOf(usage?.["output"]);
  if (inputTokens + outputTokens === 0) return [];
  const microUsd = microUsdOf(objectOf(usage?.["cost"])?.["total"]);
  // It says zero where it knows no price.
  const cost = microUsd === undefined || microUsd === 0 ? {} : { microUsd };
  return [{ kind: "usage", inputTokens, outputTokens, ...cost }];
}
