import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runAcp } from "../../../src/agent/inside/run-acp.ts";
import type { AgentEvent } from "../../../src/schema/agent.ts";

const PEER = resolve(import.meta.dirname, "acp-peer.mjs");

function scene(): { base: string; tree: string } {
  const base = mkdtempSync(join(tmpdir(), "sworn-acp-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, "tree"));
  return { base, tree: join(base, "tree") };
}

interface More {
  readonly tree?: string;
  readonly calledOffBy?: AgentEvent["kind"];
  readonly greetingMs?: number;
  readonly graceMs?: number;
  readonly tooling?: string;
}

async function run(mode: readonly string[], more: More = {}) {
  const tree = more.tree ?? scene().tree;
  const events: AgentEvent[] = [];
  const calledOff = new AbortController();
  const isAnswered = await runAcp(
    {
      argv: [process.execPath, PEER, ...mode],
      tree,
      promptFile: "",
      greetingMs: more.greetingMs ?? 20_000,
      cancelMs: 100,
      graceMs: more.graceMs ?? 20_000,
      tooling: more.tooling ?? "/nowhere",
    },
    "Fix it.",
    (event) => {
      events.push(event);
      if (event.kind === more.calledOffBy) calledOff.abort();
    },
    calledOff.signal,
  );
  const errors = events.filter((event) => event.kind === "error");
  const answers = events.filter((event) => event.kind === "answer").map(({ text }) => text);
  return { events, errors, answers, isAnswered, tree };
}

/** Whoever was started in this tree and still runs. */
function survivors(tree: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isHere = readlinkSync(`/proc/${pid}/cwd`) === tree;
        const isDead = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
        return isHere && !isDead ? [pid] : [];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}

test("what an agent tells becomes events, and its last words the answer", async () => {
  const { events, isAnswered, tree } = await run(["truth"]);
  expect(isAnswered).toBe(true);
  expect(readFileSync(join(tree, "out.txt"), "utf8")).toBe("hello\nthere\n");
  const leave = '{"outcome":{"outcome":"selected","optionId":"one"}}';
  expect(events).toEqual([
    { kind: "turn" },
    { kind: "text", text: "You said: Fix it. " },
    { kind: "tool", name: "write", input: '{"path":"out.txt"}' },
    { kind: "tool", name: "permission", input: '{"title":"write","input":{"path":"out.txt"}}' },
    { kind: "tool_end", name: "permission", failed: false },
    { kind: "tool", name: "fs/write_text_file", input: `{"path":"${tree}/out.txt"}` },
    { kind: "tool_end", name: "fs/write_text_file", failed: false },
    { kind: "tool_end", name: "write", failed: false },
    { kind: "usage", inputTokens: 0, outputTokens: 0, microUsd: 250_000 },
    { kind: "turn" },
    { kind: "text", text: `Done: ${leave} ` },
    { kind: "text", text: "there" },
    { kind: "usage", inputTokens: 12, outputTokens: 3 },
    { kind: "answer", text: `Done: ${leave} there` },
  ]);
});

test("what it costs is told while it works, each time what came on top", async () => {
  const { events } = await run(["costs", "0.10", "0.30", "0.20", "0.31"]);
  const told = events.flatMap((event) => (event.kind === "usage" ? [event.microUsd] : []));
  expect(told).toEqual([100_000, 200_000, 10_000]);
  expect(events.findIndex(({ kind }) => kind === "usage")).toBeLessThan(
    events.findIndex(({ kind }) => kind === "text"),
  );
});

test("the answer is the last word, whatever the agent still sends", async () => {
  const { events } = await run(["late"]);
  expect(events).toEqual([
    { kind: "turn" },
    { kind: "text", text: "Done." },
    { kind: "answer", text: "Done." },
  ]);
});

test("the way to the runtime is handed over as tools, in runs that have one", async () => {
  expect((await run(["servers"])).answers).toEqual(["[]"]);
  const { answers } = await run(["servers"], { tooling: PEER });
  const [server] = JSON.parse(answers[0] ?? "");
  expect(server).toEqual({ name: "sworn", command: PEER, args: ["mcp"], env: [] });
});

test("one that wants a key first is told to take it from its surroundings", async () => {
  expect((await run(["key"])).answers).toEqual(["Done."]);
});

describe("what an agent may ask", () => {
  const asks = async (method: string, params: object, tree?: string) => {
    const { answers, events } = await run(
      ["asks", method, JSON.stringify(params)],
      tree === undefined ? {} : { tree },
    );
    return { answer: JSON.parse(answers[0] ?? ""), events };
  };

  test("files outside of its tree are refused, by path and by link, and it is told", async () => {
    const { base, tree } = scene();
    writeFileSync(join(base, "secret.txt"), "the secret");
    symlinkSync(join(base, "secret.txt"), join(tree, "link"));
    for (const path of [join(base, "secret.txt"), join(tree, "link"), "/etc/passwd"]) {
      const { answer } = await asks("fs/read_text_file", { path }, tree);
      expect(answer).toMatchObject({ code: -32_602 });
    }
    const path = join(base, "new.txt");
    const { answer, events } = await asks("fs/write_text_file", { path, content: "x" }, tree);
    expect(answer).toMatchObject({ code: -32_602 });
    expect(existsSync(path)).toBe(false);
    expect(events).toContainEqual({
      kind: "tool_end",
      name: "fs/write_text_file",
      failed: true,
    });
  });

  test("terminals and everything unknown are not offered", async () => {
    for (const method of ["terminal/create", "_goose/anything"]) {
      const { answer } = await asks(method, { command: "id" });
      expect(answer).toEqual({ code: -32_601, message: `${method} is not offered` });
    }
  });

  test("leave for good is never given", async () => {
    const options = [{ optionId: "all", name: "Always", kind: "allow_always" }];
    const { answer, events } = await asks("session/request_permission", { options });
    expect(answer).toEqual({ outcome: { outcome: "cancelled" } });
    expect(events).toContainEqual({ kind: "tool_end", name: "permission", failed: true });
  });
});

describe("what is no answer", () => {
  test.each([
    [["stops", "max_tokens"], "other", "its turn ended with max_tokens"],
    [["stops", "refusal"], "other", "its turn ended with refusal"],
    [["stops", "something_new"], "other", "its turn ended with something_new"],
    [["silent"], "other", "its turn ended without an answer of the model"],
    [["fails", "-32603", "Internal error", "status 429"], "busy", "Internal error status 429"],
    [["exits"], "other", "the agent ended with 3 before it answered"],
    [["login"], "credential", "Log in first"],
    [["newer"], "other", "expected version 1 of the protocol, found 2"],
  ] as const)("%j is told as %s", async (mode, why, message) => {
    const { errors, answers, isAnswered } = await run(mode);
    expect([answers, isAnswered]).toEqual([[], false]);
    expect(errors).toEqual([{ kind: "error", why, message }]);
  });

  test("an error in the agent's own words and a turn that ended well", async () => {
    const said = "Ran into this error: Authentication failed. Status: 401 Unauthorized.";
    const { errors, answers, isAnswered } = await run(["says", said]);
    expect([answers, isAnswered]).toEqual([[], false]);
    expect(errors).toMatchObject([{ why: "credential" }]);
  });

  test("a program that is not there, and one that does not answer", async () => {
    const tree = scene().tree;
    const events: AgentEvent[] = [];
    const settings = {
      tree,
      promptFile: "",
      greetingMs: 20_000,
      cancelMs: 100,
      graceMs: 100,
      tooling: "",
    };
    const never = new AbortController().signal;
    const argv = [join(tree, "no-such-agent")];
    await runAcp({ ...settings, argv }, "x", (event) => events.push(event), never);
    expect(events).toEqual([
      {
        kind: "error",
        why: "other",
        message: expect.stringMatching(
          /^the agent cannot be started: .*ENOENT before it answered$/,
        ),
      },
    ]);
    const { errors } = await run(["mute"], { greetingMs: 300 });
    expect(errors[0]?.message).toBe("no answer to initialize within 0.3 s");
  });

  test("a program that speaks to people, and not the protocol", async () => {
    const { errors } = await run(["chats"], { greetingMs: 300 });
    expect(errors[0]?.message).toBe(
      "no answer to initialize within 0.3 s; it printed what is not of the protocol: Welcome! Please log in.",
    );
  });
});

test("what is no message is told as unread, and the rest is heard", async () => {
  const { events, answers } = await run(["garbage"]);
  expect(answers).toEqual(["Still here."]);
  expect(events.filter(({ kind }) => kind === "unread")).toEqual([
    { kind: "unread", text: "not json" },
    { kind: "unread", text: "[1]" },
    { kind: "unread", text: expect.stringMatching(/^a line of 9000000 bytes: x+/) },
  ]);
});

describe("called off", () => {
  test("it is told so first, and has its chance to end", async () => {
    const { errors, answers, tree } = await run(["stalls"], { calledOffBy: "text" });
    expect([answers, errors[0]?.message]).toEqual([[], "its turn ended with cancelled"]);
    expect(survivors(tree)).toEqual([]);
  });

  test("one that takes no notice, not even of the request to end, is gone all the same", async () => {
    const { errors, answers, tree } = await run(["deaf"], { calledOffBy: "text", graceMs: 100 });
    expect([answers, errors[0]?.message]).toEqual([[], "it was called off, and did not stop"]);
    expect(survivors(tree)).toEqual([]);
  });
});
