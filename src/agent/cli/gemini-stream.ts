import type { AgentEvent } from "../../schema/agent.ts";
import { countOf, inputOf, type JsonObject, nameOf, objectOf, textOf } from "../json-value.ts";
import { modelError } from "../model-error.ts";
import { tellsFailure } from "./exit-words.ts";
import { OpenCalls } from "./open-calls.ts";
import { SpokenSense } from "./spoken-sense.ts";

/** Gemini CLI's lines: `init`, `message` in pieces, `tool_use`, `tool_result`, `error`, `result`. */
export class GeminiSense extends SpokenSense {
  readonly #calls = new OpenCalls();
  #isTurn = false;

  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    switch (line["type"]) {
      case "init":
        return [];
      case "message":
        return this.#message(line);
      case "tool_use": {
        this.words.clear();
        const name = nameOf(line["tool_name"]);
        this.#calls.begin(line["tool_id"], name);
        const tool = { kind: "tool" as const, name, input: inputOf(line["parameters"] ?? {}) };
        return [...this.#turn(), tool];
      }
      case "tool_result":
        this.#isTurn = false;
        return this.#calls.end(
          line["tool_id"],
          line["status"] !== "success" || tellsFailure(line["output"]),
        );
      case "error":
        return [modelError(textOf(line["message"]) ?? "no message")];
      case "result":
        return this.#result(line);
      default:
        return undefined;
    }
  }

  #message(line: JsonObject): AgentEvent[] | undefined {
    const text = textOf(line["content"]);
    if (text === undefined) return undefined;
    if (line["role"] !== "assistant") return [];
    this.words.add(text);
    return [...this.#turn(), { kind: "text", text }];
  }

  #result(line: JsonObject): AgentEvent[] {
    const stats = objectOf(line["stats"]);
    const inputTokens = countOf(stats?.["input_tokens"]);
    const outputTokens = countOf(stats?.["output_tokens"]);
    const usage: AgentEvent[] =
      inputTokens + outputTokens === 0 ? [] : [{ kind: "usage", inputTokens, outputTokens }];
    if (line["status"] === "success") {
      this.words.finish();
      return usage;
    }
    return [...usage, modelError(textOf(objectOf(line["error"])?.["message"]) ?? "no message")];
  }

  /** The stream has no turns: one begins when the model speaks after the tools did. */
  #turn(): AgentEvent[] {
    if (this.#isTurn) return [];
    this.#isTurn = true;
    return [{ kind: "turn" }];
  }
}
