// An agent that speaks the Agent Client Protocol and does what its first argument says.
import { createInterface } from "node:readline";

const [mode, ...more] = process.argv.slice(2);
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (body) =>
  send({ method: "session/update", params: { sessionId: "s1", update: body } });
const text = (words) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });
const waiting = new Map();
let lastId = 0;
let servers = [];
let isKnown = false;
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++lastId, resolve);
    send({ id: lastId, method, params: { sessionId: "s1", ...params } });
  });
const end = (id, stopReason = "end_turn", rest = {}) =>
  send({ id, result: { stopReason, ...rest } });
const options = [
  { optionId: "all", name: "Always", kind: "allow_always" },
  { optionId: "one", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

const MODES = {
  async truth(id, prompt) {
    text(`You said: ${prompt} `);
    const call = { toolCallId: "t1", title: "write", kind: "edit", rawInput: { path: "out.txt" } };
    update({ sessionUpdate: "tool_call", status: "pending", ...call });
    const leave = await ask("session/request_permission", { toolCall: call, options });
    const path = `${process.cwd()}/out.txt`;
    await ask("fs/write_text_file", { path, content: "hello\nthere\n" });
    const read = await ask("fs/read_text_file", { path, line: 2, limit: 1 });
    update({ sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" });
    update({ sessionUpdate: "usage_update", used: 5, cost: { amount: 0.25, currency: "USD" } });
    update({ sessionUpdate: "plan", entries: [] });
    text(`Done: ${JSON.stringify(leave.result)} `);
    text(read.result.content);
    end(id, "end_turn", { usage: { inputTokens: 12, outputTokens: 3 } });
  },
  async asks(id) {
    const [method, params] = more;
    const { error, result } = await ask(method, JSON.parse(params));
    text(JSON.stringify(error ?? result));
    end(id);
  },
  costs(id) {
    for (const amount of more) {
      const cost = { amount: Number(amount), currency: "USD" };
      update({ sessionUpdate: "usage_update", used: 5, cost });
    }
    text("Done.");
    end(id);
  },
  stops(id) {
    text("I did everything.");
    end(id, more[0]);
  },
  says(id) {
    text(more[0]);
    end(id);
  },
  key(id) {
    text("Done.");
    end(id);
  },
  late(id) {
    text("Done.");
    end(id);
  },
  servers(id) {
    text(JSON.stringify(servers));
    end(id);
  },
  silent(id) {
    end(id);
  },
  fails(id) {
    text("I did everything.");
    const [code, message, data] = more;
    send({ id, error: { code: Number(code), message, ...(data && { data }) } });
  },
  exits() {
    text("I did everything.");
    process.stdout.write("", () => process.exit(3));
  },
  garbage(id) {
    process.stdout.write('not json\n[1]\n{"jsonrpc":"2.0","id":99,"result":{}}\n{"id":{}}\n');
    send({ method: "session/update", params: { sessionId: "other", update: {} } });
    send({ method: "session/update", params: null });
    process.stdout.write(`${"x".repeat(9_000_000)}\n`);
    text("Still here.");
    end(id);
  },
  stalls() {
    text("Let me think");
  },
  deaf() {
    text("Let me think");
    process.on("SIGTERM", () => {});
  },
};

const keepAlive = setInterval(() => {}, 1_000);
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) return waiting.get(id)?.({ result, error });
    if (method === "initialize") {
      if (mode === "mute") return;
      if (mode === "chats") return void process.stdout.write("Welcome! Please log in.\n");
      const authMethods = [
        { id: "browser" },
        ...(mode === "key" ? [{ id: "openai-api-key" }] : []),
      ];
      const protocolVersion = mode === "newer" ? 2 : 1;
      send({ id, result: { protocolVersion, agentCapabilities: {}, authMethods } });
    } else if (method === "authenticate") {
      isKnown = params.methodId === "openai-api-key";
      send({ id, result: {} });
    } else if (method === "session/new") {
      if (mode === "login" || (mode === "key" && !isKnown))
        send({ id, error: { code: -32000, message: "Log in first" } });
      else send({ id, result: { sessionId: "s1" } });
      servers = params.mcpServers;
    } else if (method === "session/prompt") {
      MODES[mode]?.(id, params.prompt[0].text);
    } else if (method === "session/cancel" && mode === "stalls") {
      end(2 + 1, "cancelled");
    }
  })
  .on("close", () => {
    if (mode === "late") text("And another thing.");
    if (mode !== "deaf") clearInterval(keepAlive);
  });
