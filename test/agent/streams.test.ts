import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AgentEvent, PRESETS, type Preset } from "../../src/schema/agent.ts";
import { driverOf, readAll } from "./read-stream.ts";

const recorded = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, "streams", `${name}.jsonl`));
const read = (preset: Preset, name: string): AgentEvent[] =>
  readAll(preset, [recorded(`${preset}-${name}`)]);
const lines = (...objects: unknown[]): Buffer[] => [
  Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join("")),
];
const RECORDED = readdirSync(join(import.meta.dirname, "streams")).map((name) =>
  basename(name, ".jsonl"),
);
const REAL = ["goose", "codex", "pi"] as const;
const ANSWER = { kind: "answer", text: "Done: out.txt is there." };

describe("streams that real agents printed", () => {
  test("goose tells its calls, how they ended, the answer and what was used", () => {
    expect(read("goose", "truth")).toEqual([
      { kind: "turn" },
      { kind: "tool", name: "write", input: '{"path":"out.txt","content":"hello\\n"}' },
      { kind: "tool_end", name: "write", failed: false },
      { kind: "turn" },
      { kind: "tool", name: "shell", input: '{"command":"exit 3"}' },
      { kind: "tool_end", name: "shell", failed: true },
      { kind: "turn" },
      { kind: "text", text: "Done: out.txt is there." },
      { kind: "usage", inputTokens: 360, outputTokens: 90 },
      ANSWER,
    ]);
  });

  test("codex tells its calls, how they ended, the answer and what was used", () => {
    expect(read("codex", "truth")).toEqual([
      expect.objectContaining({ kind: "error", why: "other" }),
      { kind: "turn" },
      {
        kind: "tool",
        name: "command_execution",
        input: "/bin/bash -lc 'echo hello > out.txt'",
      },
      { kind: "tool_end", name: "command_execution", failed: false },
      { kind: "tool", name: "command_execution", input: "/bin/bash -lc 'exit 3'" },
      { kind: "tool_end", name: "command_execution", failed: true },
      { kind: "text", text: "Done: out.txt is there." },
      { kind: "usage", inputTokens: 360, outputTokens: 90 },
      ANSWER,
    ]);
  });

  test("codex tells a call once, whether or not its beginning was told", () => {
    const change = '[{"path":"/run/tree/out.txt","kind":"add"}]';
    const ofCalls = (events: AgentEvent[]) => events.filter(({ kind }) => kind.startsWith("tool"));
    expect(ofCalls(read("codex", "patch"))).toEqual([
      { kind: "tool", name: "file_change", input: change },
      { kind: "tool_end", name: "file_change", failed: false },
    ]);
    const item = { id: "i", type: "web_search", query: "x", status: "completed" };
    expect(ofCalls(readAll("codex", lines({ type: "item.completed", item })))).toEqual([
      { kind: "tool", name: "web_search", input: "x" },
      { kind: "tool_end", name: "web_search", failed: false },
    ]);
  });

  test("pi tells its calls, how they ended, the answer and what was used in each turn", () => {
    const used = { kind: "usage", inputTokens: 120, outputTokens: 30 };
    expect(read("pi", "truth")).toEqual([
      { kind: "turn" },
      used,
      { kind: "tool", name: "write", input: '{"path":"out.txt","content":"hello\\n"}' },
      { kind: "tool_end", name: "write", failed: false },
      { kind: "turn" },
      used,
      { kind: "tool", name: "bash", input: '{"command":"exit 3"}' },
      { kind: "tool_end", name: "bash", failed: true },
      { kind: "turn" },
      { kind: "text", text: "Done: out.txt is there." },
      used,
      ANSWER,
    ]);
  });

  test("opencode tells a command that failed as failed, although it calls it completed", () => {
    expect(read("opencode", "truth").filter(({ kind }) => kind.startsWith("tool"))).toEqual([
      { kind: "tool", name: "write", input: '{"filePath":"out.txt","content":"hello\\n"}' },
      { kind: "tool_end", name: "write", failed: false },
      { kind: "tool", name: "bash", input: '{"command":"exit 3","description":"x"}' },
      { kind: "tool_end", name: "bash", failed: true },
    ]);
    expect(read("opencode", "truth").at(-1)).toEqual({ kind: "answer", text: "Done." });
  });

  test.each(["gemini", "qwen"] as const)(
    "%s calls a command that failed a success; its words say otherwise",
    (preset) => {
      const ends = read(preset, "truth").filter((event) => event.kind === "tool_end");
      expect(ends.map(({ failed }) => failed)).toEqual([false, true]);
      expect(read(preset, "truth").at(-1)).toEqual({ kind: "answer", text: "Done." });
    },
  );

  test("qwen's trouble with the service is an error, although it calls it a success", () => {
    const why = { "401": "credential", malformed: "other" };
    for (const name of ["401", "malformed"] as const) {
      const events = read("qwen", name);
      expect(events.at(-1)).toMatchObject({ kind: "error", why: why[name] });
      expect(events.map(({ kind }) => kind)).not.toContain("answer");
    }
  });

  test.each(["codex", "goose", "pi", "gemini", "qwen", "opencode"] as const)(
    "%s cut off within its turn is told from one that came to its end",
    (preset) => {
      const whole = recorded(`${preset}-truth`);
      const cut = whole.subarray(0, whole.lastIndexOf("\n", whole.length - 2) + 1);
      const isCutOff = (bytes: Buffer) => {
        const reader = driverOf(preset).reader();
        reader.take(bytes);
        reader.end();
        return reader.isCutOff;
      };
      expect([whole, cut].map(isCutOff)).toEqual([false, true]);
    },
  );

  test.each(REAL)("%s saying that tests pass shows no call", (preset) => {
    const kinds = read(preset, "lie").map(({ kind }) => kind);
    expect(kinds).toContain("answer");
    expect(kinds).not.toContain("tool");
  });

  test.each([
    ...REAL.flatMap((preset) => [
      [preset, "401", "credential"] as const,
      [preset, "429", "busy"] as const,
      [preset, "500", "unavailable"] as const,
    ]),
    ["gemini", "401", "credential"] as const,
    ["opencode", "401", "credential"] as const,
    ["opencode", "429", "busy"] as const,
  ])("%s on status %s tells %s and no answer", (preset, status, why) => {
    const events = read(preset, status);
    expect(events.at(-1)).toMatchObject({ kind: "error", why });
    expect(events.map(({ kind }) => kind)).not.toContain("answer");
  });

  test("what was said before an error is no answer", () => {
    for (const preset of ["goose", "pi", "gemini"] as const) {
      const events = read(preset, "malformed");
      expect(events.map(({ kind }) => kind)).toContain("text");
      expect(events.map(({ kind }) => kind)).not.toContain("answer");
    }
  });

  test.each(REAL)("%s that was stopped in the middle has given no answer", (preset) => {
    const whole = recorded(`${preset}-lie`);
    const end = whole.lastIndexOf('\n{"type":"', whole.length - 2);
    const events = readAll(preset, [whole.subarray(0, end + 1)]);
    expect(events.map(({ kind }) => kind)).toContain("text");
    expect(events.map(({ kind }) => kind)).not.toContain("answer");
  });

  test.each(REAL)("it does not matter how %s's stream is cut into chunks", (preset) => {
    const whole = recorded(`${preset}-truth`);
    const expected = readAll(preset, [whole]);
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 30 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((to, at) => whole.subarray(places[at], to));
        expect(readAll(preset, chunks)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test.each(RECORDED)("all of %s is understood", (name) => {
    const preset = PRESETS.find((known) => name.startsWith(`${known}-`)) ?? "claude";
    expect(readAll(preset, [recorded(name)]).filter(({ kind }) => kind === "unread")).toEqual([]);
  });
});

describe("streams after the agents' documentation", () => {
  const said = (id: string, part: object, usage = { input_tokens: 10, output_tokens: 1 }) => ({
    type: "assistant",
    message: { id, role: "assistant", content: [part], usage },
    parent_tool_use_id: null,
    session_id: "s",
    uuid: "u",
  });

  test.each(["claude", "qwen"] as const)(
    "%s: a message in parts is one turn and counts once",
    (preset) => {
      const events = readAll(
        preset,
        lines(
          { type: "system", subtype: "init", model: "m", tools: [] },
          said("m1", { type: "thinking", thinking: "…" }),
          said("m1", { type: "text", text: "I run it." }),
          said("m1", { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } }),
          {
            type: "user",
            message: {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: "no" }],
            },
          },
          said("m2", { type: "text", text: "It failed." }),
          {
            type: "result",
            subtype: "success",
            is_error: false,
            num_turns: 2,
            result: "It failed.",
            total_cost_usd: 0.0123,
            usage: { input_tokens: 25, cache_read_input_tokens: 100, output_tokens: 7 },
          },
        ),
      );
      expect(events).toEqual([
        { kind: "turn" },
        { kind: "usage", inputTokens: 10, outputTokens: 1 },
        { kind: "text", text: "I run it." },
        { kind: "tool", name: "Bash", input: '{"command":"npm test"}' },
        { kind: "tool_end", name: "Bash", failed: true },
        { kind: "turn" },
        { kind: "usage", inputTokens: 10, outputTokens: 1 },
        { kind: "text", text: "It failed." },
        { kind: "usage", inputTokens: 105, outputTokens: 5, microUsd: 12_300 },
        { kind: "answer", text: "It failed." },
      ]);
    },
  );

  test("claude: an error in the model's mouth is an error, and a result with one is no answer", () => {
    const refused = {
      ...said("m1", { type: "text", text: "Invalid API key" }),
      error: "authentication_failed",
    };
    const result = {
      type: "result",
      subtype: "success",
      is_error: true,
      result: "API Error: 529 overloaded",
    };
    const retry = {
      type: "system",
      subtype: "api_retry",
      error_status: 503,
      error: "server_error",
    };
    const events = readAll("claude", lines(retry, refused, result));
    expect(events.filter(({ kind }) => kind === "error")).toMatchObject([
      { why: "unavailable" },
      { why: "credential" },
      { why: "unavailable" },
    ]);
    expect(events.map(({ kind }) => kind)).not.toContain("answer");
  });

  test("codex: an error after the end takes the answer away, one that was got over does not", () => {
    const item = { id: "i", type: "agent_message", text: "Done." };
    const said = { type: "item.completed", item };
    const trouble = { type: "error", message: "Reconnecting... 1/5 (stream disconnected)" };
    const done = { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } };
    const error = { kind: "error", why: "unavailable", message: trouble.message };
    expect(readAll("codex", lines(said, done, trouble)).at(-1)).toEqual(error);
    expect(readAll("codex", lines(said, trouble, done)).at(-1)).toEqual({
      kind: "answer",
      text: "Done.",
    });
  });

  test("gemini: pieces after the last call are the answer", () => {
    const events = readAll(
      "gemini",
      lines(
        { type: "init", session_id: "s", model: "m" },
        { type: "message", role: "user", content: "do it" },
        { type: "message", role: "assistant", content: "I write", delta: true },
        { type: "tool_use", tool_name: "write_file", tool_id: "w", parameters: { file_path: "a" } },
        { type: "tool_result", tool_id: "w", status: "error", error: { type: "x", message: "no" } },
        { type: "message", role: "assistant", content: "All ", delta: true },
        { type: "message", role: "assistant", content: "done.", delta: true },
        { type: "result", status: "success", stats: { input_tokens: 5, output_tokens: 2 } },
      ),
    );
    expect(events).toEqual([
      { kind: "turn" },
      { kind: "text", text: "I write" },
      { kind: "tool", name: "write_file", input: '{"file_path":"a"}' },
      { kind: "tool_end", name: "write_file", failed: true },
      { kind: "turn" },
      { kind: "text", text: "All " },
      { kind: "text", text: "done." },
      { kind: "usage", inputTokens: 5, outputTokens: 2 },
      { kind: "answer", text: "All done." },
    ]);
  });

  test("opencode: each step's tokens and price count, and a failed request is no answer", () => {
    const tokens = { input: 5, output: 2, reasoning: 1, cache: { read: 3, write: 0 } };
    const text = { type: "text", part: { type: "text", text: "Done." } };
    const finish = (reason: string) => ({
      type: "step_finish",
      part: { reason, cost: 0.000001, tokens },
    });
    const state = { status: "completed", input: { filePath: "a" }, output: "" };
    expect(
      readAll(
        "opencode",
        lines(
          { type: "step_start", part: {} },
          { type: "tool_use", part: { tool: "write", callID: "c", state } },
          finish("tool-calls"),
          { type: "step_start", part: {} },
          text,
          finish("stop"),
        ),
      ),
    ).toEqual([
      { kind: "turn" },
      { kind: "tool", name: "write", input: '{"filePath":"a"}' },
      { kind: "tool_end", name: "write", failed: false },
      { kind: "usage", inputTokens: 8, outputTokens: 3, microUsd: 1 },
      { kind: "turn" },
      { kind: "text", text: "Done." },
      { kind: "usage", inputTokens: 8, outputTokens: 3, microUsd: 1 },
      { kind: "answer", text: "Done." },
    ]);
    const failed = {
      type: "error",
      error: { name: "APIError", data: { message: "no", statusCode: 429 } },
    };
    expect(readAll("opencode", lines(text, finish("stop"), failed)).slice(-1)).toEqual([
      { kind: "error", why: "busy", message: "no" },
    ]);
  });
});

test("every preset has a driver", () => {
  for (const preset of PRESETS) expect(driverOf(preset).reader().end()).toEqual([]);
});
