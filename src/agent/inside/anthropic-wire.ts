import { countOf, type JsonObject, nameOf, objectOf, objectsOf, textOf } from "../json-value.ts";
import { anthropicBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import type { Message } from "./talk.ts";
import { callId, inputFrom, type Reply, type Wire } from "./wire.ts";

/** The service wants a number; most models can write as much as this. */
const OUTPUT_TOKENS_MAX = 8_192;

const ENDS: Readonly<Record<string, Reply["end"]>> = {
  end_turn: "whole",
  tool_use: "whole",
  stop_sequence: "whole",
  max_tokens: "cut",
  model_context_window_exceeded: "cut",
  refusal: "refused",
};

/** Anthropic's messages. */
export const anthropicWire: Wire = {
  address: (endpoint) => `${anthropicBase(endpoint)}/v1/messages`,
  headers: { "x-api-key": PLACEHOLDER_KEY, "anthropic-version": "2023-06-01" },
  body: ({ model, system, messages, tools }) => ({
    model,
    max_tokens: OUTPUT_TOKENS_MAX,
    system,
    messages: messages.map(wireMessage),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
  }),
  reply: (answer) => {
    const end = ENDS[textOf(answer["stop_reason"]) ?? ""];
    if (!Array.isArray(answer["content"]) || end === undefined) return undefined;
    const parts = objectsOf(answer["content"]);
    const usage = objectOf(answer["usage"]);
    return {
      text: parts
        .map((part) => (part["type"] === "text" ? (textOf(part["text"]) ?? "") : ""))
        .join(""),
      calls: parts
        .filter(({ type }) => type === "tool_use")
        .map((part, index) => ({
          id: callId(part["id"], index),
          name: nameOf(part["name"]),
          input: inputFrom(part["input"]),
        })),
      inputTokens: countOf(
        usage?.["input_tokens"],
        usage?.["cache_creation_input_tokens"],
        usage?.["cache_read_input_tokens"],
      ),
      outputTokens: countOf(usage?.["output_tokens"]),
      end,
    };
  },
};

function wireMessage(message: Message): JsonObject {
  if (message.role === "user") return { role: "user", content: message.text };
  if (message.role === "tools") {
    return {
      role: "user",
      content: message.results.map(({ id, text, failed }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: text,
        is_error: failed,
      })),
    };
  }
  const calls = message.calls.map(({ id, name, input }) => ({
    type: "tool_use",
    id,
    name,
    input: input ?? {},
  }));
  // An empty piece of text is refused by the service.
  const text = message.text.trim() === "" ? [] : [{ type: "text", text: message.text }];
  return { role: "assistant", content: [...text, ...calls] };
}
