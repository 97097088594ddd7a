import { countOf, type JsonObject, objectOf, objectsOf, textOf } from "../json-value.ts";
import { ollamaBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import type { Message } from "./talk.ts";
import { functionCall, type Wire } from "./wire.ts";

/** Without a number it takes a small one, and drops the beginning of what it is told without a word. */
const CONTEXT_TOKENS = 32_768;

/** Ollama's own chat, which says how it ended where its copy of OpenAI's does not. */
export const ollamaWire: Wire = {
  address: (endpoint) => `${ollamaBase(endpoint)}/api/chat`,
  // Its own machine asks for none; one behind a door of somebody else's does.
  headers: { authorization: `Bearer ${PLACEHOLDER_KEY}` },
  body: ({ model, system, messages, tools }) => ({
    model,
    stream: false,
    options: { num_ctx: CONTEXT_TOKENS },
    messages: [{ role: "system", content: system }, ...messages.flatMap(wireMessages)],
    tools: tools.map((offer) => ({ type: "function", function: offer })),
  }),
  reply: (answer) => {
    const message = objectOf(answer["message"]);
    if (message === undefined || answer["done"] !== true) return undefined;
    const why = answer["done_reason"] ?? "stop";
    if (why !== "stop" && why !== "length") return undefined;
    return {
      text: textOf(message["content"]) ?? "",
      calls: objectsOf(message["tool_calls"]).map(functionCall),
      inputTokens: countOf(answer["prompt_eval_count"]),
      outputTokens: countOf(answer["eval_count"]),
      end: why === "stop" ? "whole" : "cut",
    };
  },
};

function wireMessages(message: Message): JsonObject[] {
  if (message.role === "user") return [{ role: "user", content: message.text }];
  if (message.role === "tools") {
    return message.results.map(({ name, text }) => ({
      role: "tool",
      tool_name: name,
      content: text,
    }));
  }
  return [
    {
      role: "assistant",
      content: message.text,
      tool_calls: message.calls.map(({ name, input }) => ({
        function: { name, arguments: input ?? {} },
      })),
    },
  ];
}
