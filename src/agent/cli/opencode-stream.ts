import type { AgentEvent } from "../../schema/agent.ts";
import {
  countOf,
  inputOf,
  type JsonObject,
  microUsdOf,
  nameOf,
  objectOf,
  textOf,
} from "../json-value.ts";
import { modelError } from "../model-error.ts";
import { SpokenSense } from "./spoken-sense.ts";

/** opencode's lines: `step_start`, `text`, `tool_use` when it is over, `step_finish`, `error`. */
export class OpencodeSense extends SpokenSense {
  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    if (line["type"] === "error") return this.#trouble(objectOf(line["error"]));
    if (line["type"] === "reasoning") return [];
    const part = objectOf(line["part"]);
    if (part === undefined) return undefined;
    switch (line["type"]) {
      case "step_start":
        return [{ kind: "turn" }];
      case "text": {
        const text = textOf(part["text"]) ?? "";
        this.words.add(text);
        return [{ kind: "text", text }];
      }
      case "tool_use":
        this.words.clear();
        return toolEvents(part);
      case "step_finish":
        if (part["reason"] !== "tool-calls") this.words.finish();
        return usageOf(part);
      default:
        return undefined;
    }
  }

  #trouble(error: JsonObject | undefined): AgentEvent[] {
    this.words.clear();
    const data = objectOf(error?.["data"]);
    const status = typeof data?.["statusCode"] === "number" ? data["statusCode"] : undefined;
    const message = textOf(data?.["message"]) ?? textOf(error?.["name"]) ?? "no message";
    return [modelError(message, status)];
  }
}

function toolEvents(part: JsonObject): AgentEvent[] {
  const state = objectOf(part["state"]);
  const name = nameOf(part["tool"]);
  // A command that failed is "completed" too.
  const exit = countOf(objectOf(state?.["metadata"])?.["exit"]);
  return [
    { kind: "tool", name, input: inputOf(state?.["input"] ?? {}) },
    { kind: "tool_end", name, failed: state?.["status"] !== "completed" || exit > 0 },
  ];
}

function usageOf(part: JsonObject): AgentEvent[] {
  const tokens = objectOf(part["tokens"]);
  const cache = objectOf(tokens?.["cache"]);
  const microUsd = microUsdOf(part["cost"]);
  return [
    {
      kind: "usage",
      inputTokens: countOf(tokens?.["input"], cache?.["read"], cache?.["write"]),
      outputTokens: countOf(tokens?.["output"], tokens?.["reasoning"]),
      // It says zero where it knows no price.
      ...(microUsd === undefined || microUsd === 0 ? {} : { microUsd }),
    },
  ];
}
