import { countOf, type JsonObject, objectOf, objectsOf, textOf } from "../json-value.ts";
import { openAiBase, PLACEHOLDER_KEY } from "../model-endpoint.ts";
import type { Message } from "./talk.ts";
import { functionCall, type Reply, type Wire } from "./wire.ts";

const ENDS: Readonly<Record<string, Reply["end"]>> = {
  stop: "whole",
  tool_calls: "whole",
  length: "cut",
  content_filter: "refused",
};

/** OpenAI's chat completions, which many other services speak too. */
export const chatWire: Wire = {
  address: (endpoint) => `${openAiBase(endpoint)}/chat/completions`,
  headers: { authorization: `Bearer ${PLACEHOLDER_KEY}` },
  body: ({ model, system, messages, tools }) => ({
    model,
    messages: [{ role: "system", content: system }, ...messages.flatMap(wireMessages)],
    tools: tools.map((offer) => ({ type: "function", function: offer })),
  }),
  reply: (answer) => {
    const [choice] = objectsOf(answer["choices"]);
    const message = objectOf(choice?.["message"]);
    const end = ENDS[textOf(choice?.["finish_reason"]) ?? ""];
    if (message === undefined || end === undefined) return undefined;
    const refusal = textOf(message["refusal"]) ?? "";
    const usage = objectOf(answer["usage"]);
    return {
      text: refusal || (textOf(message["content"]) ?? ""),
      calls: objectsOf(message["tool_calls"]).map(functionCall),
      inputTokens: countOf(usage?.["prompt_tokens"]),
      outputTokens: countOf(usage?.["completion_tokens"]),
      end: refusal === "" ? end : "refused",
    };
  },
};

function wireMessages(message: Message): JsonObject[] {
  if (message.role === "user") return [{ role: "user", content: message.text }];
  if (message.role === "tools") {
    return message.results.map(({ id, text }) => ({
      role: "tool",
      tool_call_id: id,
      content: text,
    }));
  }
  const calls = message.calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input ?? {}) },
  }));
  return [
    {
      role: "assistant",
      content: message.text,
      // An empty list is refused by some services.
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}
