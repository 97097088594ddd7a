import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type AgentEvent, PRESETS, type Preset } from "../../src/schema/agent.ts";
import { expectLinear } from "../cost-growth.ts";
import { driverOf, readAll } from "./read-stream.ts";

const MIB = 1 << 20;
const ofKind = (events: readonly AgentEvent[], kind: AgentEvent["kind"]): AgentEvent[] =>
  events.filter((event) => event.kind === kind);
const textsOf = (event: AgentEvent): string[] =>
  Object.values(event).filter((value) => typeof value === "string");

/** Every member that any stream uses, with values of any shape: near misses, not noise. */
const MEMBERS = [
  "type",
  "subtype",
  "message",
  "content",
  "text",
  "id",
  "name",
  "input",
  "error",
  "usage",
  "item",
  "part",
  "state",
  "toolCall",
  "toolResult",
  "value",
  "arguments",
  "status",
  "role",
  "result",
  "is_error",
  "stats",
  "cost",
  "tokens",
  "toolName",
  "args",
  "stopReason",
  "total_cost_usd",
  "input_tokens",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
];
const WORDS = [
  "message",
  "complete",
  "error",
  "text",
  "toolRequest",
  "toolResponse",
  "item.started",
  "item.completed",
  "turn.completed",
  "turn.failed",
  "agent_message",
  "command_execution",
  "mcp_tool_call",
  "message_end",
  "tool_execution_start",
  "tool_execution_end",
  "auto_retry_end",
  "assistant",
  "user",
  "result",
  "system",
  "api_retry",
  "success",
  "tool_use",
  "tool_result",
  "step_start",
  "step_finish",
  "init",
  "constructor",
  "__proto__",
  "\ud800",
];
const leaf = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, null, true, -1, 1e308, 0.5, "", []),
  fc.double(),
  fc.string(),
);
const { object } = fc.letrec((tie) => ({
  object: fc.dictionary(fc.constantFrom(...MEMBERS), tie("value"), { maxKeys: 8 }),
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
}));

describe.each(PRESETS)("%s", (preset) => {
  test("no object makes its reader throw, and all that it tells is text and counts", () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), (objects) => {
        const text = objects.map((line) => `${JSON.stringify(line)}\n`).join("");
        for (const event of readAll(preset, [Buffer.from(text)])) {
          for (const value of textsOf(event)) expect(value.isWellFormed()).toBe(true);
          if (event.kind !== "usage") continue;
          const counts = [event.inputTokens, event.outputTokens, event.microUsd ?? 0];
          expect(counts.every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("no bytes make its reader throw", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (chunks) => {
        readAll(
          preset,
          chunks.map((chunk) => Buffer.from(chunk)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("a shape that is not known is told as unread, not lost", () => {
    const lines = '{"type":"brand_new","x":1}\nplain words\n[1]\n{"type":\n';
    expect(readAll(preset, [Buffer.from(lines)])).toEqual([
      { kind: "unread", text: '{"type":"brand_new","x":1}' },
      { kind: "unread", text: "plain words" },
      { kind: "unread", text: "[1]" },
      { kind: "unread", text: '{"type":' },
    ]);
  });
});

test("a line without an end is told with its size and its beginning, and the next one is read", () => {
  const reader = driverOf("codex").reader();
  const before = process.memoryUsage().arrayBuffers;
  const part = Buffer.alloc(MIB, "x");
  for (let times = 0; times < 64; times += 1) expect(reader.take(part)).toEqual([]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MIB);
  const events = reader.take(Buffer.from('\n{"type":"turn.started"}\n'));
  expect(events).toEqual([
    { kind: "unread", text: `a line of ${64 * MIB} bytes: ${"x".repeat(474)}… (526 characters)` },
    { kind: "turn" },
  ]);
});

test("lines of pi's that repeat the session are passed over at any length, and counted as that", () => {
  const reader = driverOf("pi").reader();
  const said = JSON.stringify({ role: "assistant", content: [{ type: "text", text: "Done." }] });
  const long = "y".repeat(9 * MIB);
  const update = `{"type":"message_update","message":"${long}"}\n`;
  const end = `{"type":"agent_end","messages":"${long}"}\n`;
  const events = [
    ...reader.take(Buffer.from(`${update}{"type":"message_end","message":${said}}\n${end}`)),
    ...reader.end(),
  ];
  expect(events).toEqual([
    { kind: "text", text: "Done." },
    { kind: "answer", text: "Done." },
  ]);
  expect(reader.echoBytes).toBe(update.length + end.length - 2);
});

test("of very many unread lines some are shown and all are counted", () => {
  const events = readAll("pi", [Buffer.from("rubbish\n".repeat(10_000))]);
  expect(events.length).toBe(51);
  expect(events.at(-1)).toEqual({ kind: "unread", text: "9950 more parts" });
});

test("what begins no object costs the parser nothing", () => {
  const reader = driverOf("goose").reader();
  const parse = vi.spyOn(JSON, "parse");
  reader.take(Buffer.from("y\n".repeat(1_000)));
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(reader.isForeign).toBe(true);
  expect(ofKind(reader.end(), "unread")).toEqual([{ kind: "unread", text: "950 more parts" }]);
});

test("what nests without end is cut, not followed", () => {
  const deep = `${'{"a":['.repeat(200_000)}${"]}".repeat(200_000)}`;
  const line = `{"type":"tool_execution_start","toolName":"x","args":${deep}}\n`;
  const [event] = ofKind(readAll("pi", [Buffer.from(line)]), "tool");
  expect(event?.kind === "tool" && (event.input?.length ?? 0)).toBeLessThan(500);
});

test("the input of a call is cut, however it is given", () => {
  const inputs = [
    "y".repeat(MIB),
    { content: "y".repeat(MIB) },
    Array.from({ length: 100_000 }, () => 1),
    Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])),
  ];
  for (const args of inputs) {
    const line = JSON.stringify({
      type: "tool_execution_start",
      toolName: "w".repeat(9_000),
      args,
    });
    const [event] = ofKind(readAll("pi", [Buffer.from(line)]), "tool");
    expect(event).toBeDefined();
    for (const text of event === undefined ? [] : textsOf(event)) {
      expect(text.length).toBeLessThan(4_100);
    }
  }
});

test("an answer is cut and says so", () => {
  const line = (text: string): string =>
    `{"type":"item.completed","item":{"type":"agent_message","text":"${text}"}}\n`;
  const done = '{"type":"turn.completed","usage":{}}\n';
  const [answer] = ofKind(
    readAll("codex", [Buffer.from(line("a".repeat(2 * MIB)) + done)]),
    "answer",
  );
  expect(answer?.kind === "answer" && answer.text.slice(MIB)).toBe(`… (${2 * MIB} characters)`);
});

test("bytes that are no UTF-8 become marks, and the line is still read", () => {
  const line = Buffer.concat([
    Buffer.from('{"type":"item.completed","item":{"type":"agent_message","text":"a'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('b"}}\n'),
  ]);
  expect(readAll("codex", [line])).toEqual([{ kind: "text", text: "a\ufffd\ufffdb" }]);
});

test("half of a character becomes a mark", () => {
  const line = '{"type":"item.completed","item":{"type":"agent_message","text":"\\ud83dx"}}\n';
  expect(readAll("codex", [Buffer.from(line)])).toEqual([{ kind: "text", text: "\ufffdx" }]);
});

test("numbers that are no counts add up to whole ones that can be told exactly", () => {
  const used = (usage: string): AgentEvent[] =>
    readAll("pi", [
      Buffer.from(`{"type":"message_end","message":{"role":"assistant","usage":${usage}}}\n`),
    ]);
  const most = Number.MAX_SAFE_INTEGER;
  expect(used('{"input":1e308,"cacheRead":1e308,"output":-5,"cost":{"total":1e300}}')).toEqual([
    { kind: "usage", inputTokens: most, outputTokens: 0, microUsd: most },
  ]);
  expect(used('{"input":1.9,"output":"7","cost":{"total":-1}}')).toEqual([
    { kind: "usage", inputTokens: 1, outputTokens: 0 },
  ]);
});

test("calls that never end are forgotten, not kept", () => {
  const begin = (id: number): string =>
    `{"type":"tool_use","tool_id":"t${id}","tool_name":"n${id}","parameters":{}}\n`;
  const many = Array.from({ length: 5_000 }, (_, id) => begin(id)).join("");
  const end = '{"type":"tool_result","tool_id":"t0","status":"success"}\n';
  expect(readAll("gemini", [Buffer.from(many + end)]).at(-1)).toEqual({
    kind: "tool_end",
    name: "unnamed",
    failed: false,
  });
});

describe("time in proportion to what comes", () => {
  const truth = (preset: Preset): Buffer =>
    readFileSync(join(import.meta.dirname, "streams", `${preset}-truth.jsonl`));

  test.each(["goose", "codex", "pi"] as const)("many lines of %s", (preset) => {
    const lines = truth(preset).toString().repeat(40);
    expectLinear((times) => readAll(preset, [Buffer.from(lines.repeat(times))]));
  });

  test("a million short lines", () => {
    const events = readAll("codex", [Buffer.from('{"type":"turn.started"}\n'.repeat(1_000_000))]);
    expect(events.length).toBe(1_000_000);
  });

  test("one line that comes byte by byte", () => {
    const byte = Buffer.from("x");
    expectLinear((times) =>
      readAll(
        "goose",
        Array.from({ length: 30_000 * times }, () => byte),
      ),
    );
  });

  test("an error message made to be searched for long", () => {
    expectLinear((times) => {
      const message = "status code status ".repeat(3_000 * times);
      readAll("codex", [Buffer.from(`${JSON.stringify({ type: "error", message })}\n`)]);
    });
  });
});
