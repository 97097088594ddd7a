import type { AgentEvent } from "../../schema/agent.ts";
import { countOf, inputOf, type JsonObject, nameOf, objectOf, textOf } from "../json-value.ts";
import { modelError } from "../model-error.ts";
import { OpenCalls } from "./open-calls.ts";
import { SpokenSense } from "./spoken-sense.ts";

/** Items that are a call, and the member that says best what was called for. */
const CALLS = new Map([
  ["command_execution", "command"],
  ["file_change", "changes"],
  ["mcp_tool_call", "arguments"],
  ["collab_tool_call", "prompt"],
  ["web_search", "query"],
]);
const QUIET_ITEMS = ["reasoning", "todo_list"];

/**
 * codex's lines: `thread.started`, `turn.started`, `item.started|updated|completed`,
 * `turn.completed` with what was used, `turn.failed`, `error`. Its attempts to reconnect are also
 * called errors.
 */
export class CodexSense extends SpokenSense {
  readonly #calls = new OpenCalls();

  eventsOf(line: JsonObject): AgentEvent[] | undefined {
    switch (line["type"]) {
      case "thread.started":
      case "item.updated":
        return [];
      case "turn.started":
        return [{ kind: "turn" }];
      case "item.started":
        return this.#item(objectOf(line["item"]), false);
      case "item.completed":
        return this.#item(objectOf(line["item"]), true);
      case "turn.completed":
        this.words.finish();
        return usageOf(objectOf(line["usage"]));
      case "turn.failed":
        return this.#trouble(objectOf(line["error"])?.["message"]);
      case "error":
        return this.#trouble(line["message"]);
      default:
        return undefined;
    }
  }

  #trouble(message: unknown): AgentEvent[] {
    this.words.reopen();
    return [modelError(textOf(message) ?? "no message")];
  }

  #item(item: JsonObject | undefined, isDone: boolean): AgentEvent[] | undefined {
    const type = textOf(item?.["type"]);
    if (item === undefined || type === undefined) return undefined;
    if (QUIET_ITEMS.includes(type)) return [];
    if (type === "agent_message") return isDone ? this.#said(textOf(item["text"]) ?? "") : [];
    // A warning of the program itself, such as a model that it does not know; the turn goes on.
    if (type === "error") return [modelError(textOf(item["message"]) ?? "no message")];
    return this.#call(item, type, isDone);
  }

  #said(text: string): AgentEvent[] {
    this.words.clear();
    this.words.add(text);
    return [{ kind: "text", text }];
  }

  #call(item: JsonObject, type: string, isDone: boolean): AgentEvent[] | undefined {
    const member = CALLS.get(type);
    if (member === undefined) return undefined;
    this.words.clear();
    const tool = textOf(item["tool"]);
    const name = tool === undefined ? type : nameOf(`${textOf(item["server"]) ?? type}.${tool}`);
    const begin: AgentEvent = { kind: "tool", name, input: inputOf(item[member] ?? "") };
    if (!isDone) {
      this.#calls.begin(item["id"], name);
      return [begin];
    }
    // Some are told only when they are done.
    const events = this.#calls.has(item["id"]) ? [] : [begin];
    this.#calls.begin(item["id"], name);
    const failed = item["status"] === "failed" || item["status"] === "declined";
    return [...events, ...this.#calls.end(item["id"], failed)];
  }
}

function usageOf(usage: JsonObject | undefined): AgentEvent[] {
  if (usage === undefined) return [];
  return [
    {
      kind: "usage",
      inputTokens: countOf(usage["input_tokens"]),
      outputTokens: countOf(usage["output_tokens"]),
    },
  ];
}
