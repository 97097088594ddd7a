/** What a model says when all goes well. */
export type Reply =
  | {
      readonly say: string /** How often, each time as a piece of the stream of its own. */;
      readonly times?: number;
    }
  | {
      readonly call: string;
      /** Where the tool is one of several under a name, as in the responses form. */
      readonly namespace?: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly say?: string;
    };

/** What every reply costs, as the service tells it. */
export const USED = { input: 120, output: 30 };
type Used = typeof USED;

/** One way of speaking to a model over HTTP. */
export interface Form {
  /** How the path of its requests ends. */
  readonly ending: string;
  whole(reply: Reply, used: Used): unknown;
  stream(reply: Reply, used: Used): string[];
  error(status: number): unknown;
}

const KINDS: Record<number, string> = {
  401: "authentication_error",
  429: "rate_limit_error",
  500: "api_error",
};
const WORDS: Record<number, string> = {
  401: "Incorrect API key provided",
  429: "Rate limit reached, slow down",
  500: "The server had an error",
};
const MODEL = "scripted";
const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
const typed = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
  frame(data, data.type);
const piecesOf = (reply: Reply): string[] =>
  "times" in reply
    ? Array.from({ length: reply.times ?? 1 }, () => reply.say)
    : reply.say === undefined
      ? []
      : [reply.say];
const callOf = (reply: Reply) => ("call" in reply ? reply : undefined);
let calls = 0;
const nextCall = (): string => `call_${++calls}`;

const CHAT: Form = {
  ending: "/chat/completions",
  whole: (reply, used) => ({
    id: "chat_1",
    object: "chat.completion",
    created: 1,
    model: MODEL,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: piecesOf(reply).join("") },
        finish_reason: "stop",
      },
    ],
    usage: chatUsage(used),
  }),
  stream: (reply, used) => {
    const call = callOf(reply);
    const chunk = (delta: object, finish_reason: string | null = null) =>
      frame({
        id: "chat_1",
        object: "chat.completion.chunk",
        created: 1,
        model: MODEL,
        choices: [{ index: 0, delta, finish_reason }],
      });
    return [
      ...piecesOf(reply).map((content) => chunk({ role: "assistant", content })),
      ...(call === undefined
        ? []
        : [
            chunk({
              role: "assistant",
              tool_calls: [
                {
                  index: 0,
                  id: nextCall(),
                  type: "function",
                  function: { name: call.call, arguments: JSON.stringify(call.input) },
                },
              ],
            }),
          ]),
      chunk({}, call === undefined ? "stop" : "tool_calls"),
      frame({
        id: "chat_1",
        object: "chat.completion.chunk",
        created: 1,
        model: MODEL,
        choices: [],
        usage: chatUsage(used),
      }),
      "data: [DONE]\n\n",
    ];
  },
  error: (status) => ({ error: { message: WORDS[status], type: KINDS[status], code: null } }),
};
const chatUsage = ({ input, output }: Used) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

const MESSAGES: Form = {
  ending: "/messages",
  whole: (reply, used) => ({
    ...messageHead(used),
    content: [{ type: "text", text: piecesOf(reply).join("") }],
    stop_reason: "end_turn",
  }),
  stream: (reply, used) => {
    const call = callOf(reply);
    const pieces = piecesOf(reply);
    const block = (index: number, content_block: object, deltas: object[]) => [
      typed({ type: "content_block_start", index, content_block }),
      ...deltas.map((delta) => typed({ type: "content_block_delta", index, delta })),
      typed({ type: "content_block_stop", index }),
    ];
    return [
      typed({ type: "message_start", message: messageHead(used) }),
      ...(pieces.length === 0
        ? []
        : block(
            0,
            { type: "text", text: "" },
            pieces.map((text) => ({ type: "text_delta", text })),
          )),
      ...(call === undefined
        ? []
        : block(
            pieces.length === 0 ? 0 : 1,
            { type: "tool_use", id: nextCall(), name: call.call, input: {} },
            [{ type: "input_json_delta", partial_json: JSON.stringify(call.input) }],
          )),
      typed({
        type: "message_delta",
        delta: { stop_reason: call === undefined ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: used.output },
      }),
      typed({ type: "message_stop" }),
    ];
  },
  error: (status) => ({ type: "error", error: { type: KINDS[status], message: WORDS[status] } }),
};
const messageHead = ({ input, output }: Used) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: MODEL,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: input, output_tokens: output },
});

const RESPONSES: Form = {
  ending: "/responses",
  whole: (reply, used) => responseOf("completed", itemsOf(reply), used),
  stream: (reply, used) => {
    const items = itemsOf(reply);
    return [
      typed({ type: "response.created", response: responseOf("in_progress", [], used) }),
      ...items.flatMap((item, output_index) => [
        typed({ type: "response.output_item.added", output_index, item: begun(item) }),
        ...(item.type === "message"
          ? piecesOf(reply).map((delta) =>
              typed({
                type: "response.output_text.delta",
                item_id: item.id,
                output_index,
                content_index: 0,
                delta,
              }),
            )
          : []),
        typed({ type: "response.output_item.done", output_index, item }),
      ]),
      typed({ type: "response.completed", response: responseOf("completed", items, used) }),
    ];
  },
  error: (status) => ({ error: { message: WORDS[status], type: KINDS[status], code: null } }),
};

interface Item {
  readonly type: string;
  readonly id: string;
  readonly [key: string]: unknown;
}
const begun = (item: Item): Item =>
  item.type === "message"
    ? { ...item, content: [], status: "in_progress" }
    : { ...item, arguments: "", status: "in_progress" };

function itemsOf(reply: Reply): Item[] {
  const text = piecesOf(reply).join("");
  const call = callOf(reply);
  return [
    ...(text === ""
      ? []
      : [
          {
            type: "message",
            id: "item_text",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ]),
    ...(call === undefined
      ? []
      : [
          {
            type: "function_call",
            id: "item_call",
            call_id: nextCall(),
            name: call.call,
            ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
            arguments: JSON.stringify(call.input),
            status: "completed",
          },
        ]),
  ];
}

const responseOf = (status: string, output: Item[], { input, output: out }: Used) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: MODEL,
  status,
  output,
  usage: {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + out,
  },
});

/** Gemini's own: the path says whether the answer comes in pieces, and each piece is a whole answer. */
const GEMINI: Form = {
  ending: ":streamGenerateContent",
  whole: (reply, used) => geminiPiece(geminiParts(reply), used, "STOP"),
  stream: (reply, used) => {
    const parts = geminiParts(reply);
    return parts.map((part, at) =>
      frame(geminiPiece([part], used, at === parts.length - 1 ? "STOP" : undefined)),
    );
  },
  error: (status) => ({
    error: { code: status, message: WORDS[status], status: GEMINI_KINDS[status] },
  }),
};
const GEMINI_KINDS: Record<number, string> = {
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
};

function geminiParts(reply: Reply): object[] {
  const call = callOf(reply);
  return [
    ...piecesOf(reply).map((text) => ({ text })),
    ...(call === undefined ? [] : [{ functionCall: { name: call.call, args: call.input } }]),
  ];
}

const geminiPiece = (parts: object[], { input, output }: Used, finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, finishReason }],
  usageMetadata: {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  },
  modelVersion: MODEL,
});

export const FORMS: readonly Form[] = [
  CHAT,
  MESSAGES,
  RESPONSES,
  GEMINI,
  { ...GEMINI, ending: ":generateContent" },
];
