import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { opening } from "../fake/sandbox.ts";
import { abort, message, proposal, review } from "../flow/requests.ts";
import { type Ran, Shell } from "./shell.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../examples/session.jsonl");

async function recorded(): Promise<Shell> {
  const shell = new Shell();
  const { exit } = await shell.run("trace", "record", EXAMPLE);
  expect(exit).toBe(0);
  return shell;
}

test("without --json prose is on stdout; with it the document alone, and prose on stderr", async () => {
  const shell = await recorded();
  const lines = [
    ["trace", "ls"],
    ["trace", "show", "latest"],
    ["trace", "show", "latest", "3"],
    ["trace", "tail", "latest"],
    ["trace", "tail", "latest", "--follow"],
    ["trace", "fsck"],
    ["trace", "recover", "latest"],
    ["keys", "rotate", "eli"],
    ["trace", "prove", "latest", "3"],
    ["trace", "export", "latest", "--out", "a.tar"],
    ["trace", "import", "a.tar"],
    ["verify", "latest"],
    ["verify", "a.tar"],
    ["keys", "list"],
    ["keys", "export-public"],
    ["init"],
  ];
  for (const line of lines) {
    const plain = await shell.run(...line);
    expect([line, plain.exit, plain.err]).toEqual([line, 0, ""]);
    expect(plain.out.trim()).not.toBe("");
    const machine = await shell.run(...line, "--json");
    expect([line, machine.exit]).toEqual([line, 0]);
    expect(typeof machine.json()).toBe("object");
    expect(machine.err.trim()).not.toBe("");
  }
});

test.each([
  [["verify", "none.tar"], "NOT_FOUND", 2],
  [["verify", "trace_none"], "NOT_FOUND", 2],
  [["verify", "latest"], "NOT_FOUND", 2],
  [["trace", "record", "none.jsonl"], "NOT_FOUND", 2],
  [["trace", "record", "-"], "INPUT_INVALID", 2],
  [["trace", "record", "-", "--trace", "latest"], "NOT_FOUND", 2],
  [["trace", "show", "latest"], "NOT_FOUND", 2],
  [["trace", "tail", "latest"], "NOT_FOUND", 2],
  [["trace", "export", "latest"], "NOT_FOUND", 2],
  [["trace", "import", "none.tar"], "NOT_FOUND", 2],
  [["trace", "prove", "latest", "0"], "NOT_FOUND", 2],
  [["trace", "fsck", "latest"], "NOT_FOUND", 2],
  [["trace", "recover", "latest"], "NOT_FOUND", 2],
  [["keys", "rotate", "eli"], "NOT_FOUND", 2],
  [["keys", "revoke", "eli", "--reason", "r"], "NOT_FOUND", 2],
  [["keys", "export-public"], "NOT_FOUND", 2],
  [["init", "--passphrase-file", "none"], "NOT_FOUND", 2],
])("an error is one JSON document too: %j gives %s", async (line, code, exit) => {
  const shell = new Shell();
  const machine = await shell.run(...line, "--json");
  expect(machine.exit).toBe(exit);
  expect(machine.json()).toEqual({ error: { code, message: expect.any(String) } });
  const plain = await shell.run(...line);
  expect([plain.exit, plain.out]).toEqual([exit, ""]);
  expect(plain.err).toContain(`[${code}]`);
});

test("a refused script names the line and the rule, and says what was recorded", async () => {
  const shell = new Shell();
  shell.script("script.jsonl", opening(), proposal("p1"), review("p9"), message("never"));
  const { exit, out } = await shell.run("trace", "record", "script.jsonl");
  expect(exit).toBe(3);
  expect(out).toContain("line 3");
  expect(out).toContain("[ORDER_GUARD]");
  const machine = await shell.run("trace", "record", "script.jsonl", "--json");
  expect(machine.exit).toBe(3);
  expect(machine.json()).toMatchObject({
    entries: 2,
    refused: { line: 3, rule: "ORDER_GUARD", reason: expect.any(String) },
  });
});

test("a script is read to its end before anything of it is recorded", async () => {
  const shell = new Shell();
  const lines = [JSON.stringify(opening()), "", '{"type":"nonsense"}'];
  shell.write("script.jsonl", `${lines.join("\n")}\n`);
  const { exit, err } = await shell.run("trace", "record", "script.jsonl");
  expect(exit).toBe(2);
  expect(err).toContain("line 3");
  expect((await shell.run("trace", "ls", "--json")).json()).toEqual({ traces: [] });
});

test.each([
  ["a key given twice", '{"actor":1,"actor":2}'],
  ["no JSON", "nonsense"],
  ["bytes that are no text", "\u00ff\u00fe"],
  [
    "an unknown field",
    '{"actor":{"agent":"ada","role":"planner"},"type":"message_posted","body":{"text":"t"},"x":1}',
  ],
])("a script with %s is refused with its line", async (_, line) => {
  const shell = new Shell();
  const bytes = Buffer.concat([
    Buffer.from(`${JSON.stringify(opening())}\n`),
    Buffer.from(line, "latin1"),
    Buffer.from("\n"),
  ]);
  shell.write("script.jsonl", bytes);
  const { exit, err } = await shell.run("trace", "record", "script.jsonl");
  expect(exit).toBe(2);
  expect(err).toContain("line 2");
});

test("a line that is too long is refused, whole or in pieces", async () => {
  const shell = new Shell();
  const long = JSON.stringify({ ...message("t"), body: { text: "x".repeat(1_100_000) } });
  shell.write("script.jsonl", `${JSON.stringify(opening())}\n${long}\n`);
  const whole = await shell.run("trace", "record", "script.jsonl", "--json");
  expect(whole.exit).toBe(2);
  expect(whole.json()).toMatchObject({ error: { code: "LIMIT_EXCEEDED" } });
  async function* pieces() {
    yield Buffer.from(`${JSON.stringify(opening())}\n`);
    for (let at = 0; at < long.length; at += 100_000)
      yield Buffer.from(long.slice(at, at + 100_000));
  }
  const piecewise = await shell.runWith({ input: pieces }, "trace", "record", "-", "--json");
  expect(piecewise.exit).toBe(2);
  expect(piecewise.json()).toMatchObject({ error: { code: "LIMIT_EXCEEDED" } });
});

test("a line that never ends is not waited for", async () => {
  const shell = new Shell();
  let chunks = 0;
  async function* endless() {
    for (; chunks < 1_000; chunks += 1) yield Buffer.alloc(100_000, "x");
  }
  const { exit, err } = await shell.runWith({ input: endless }, "trace", "record", "-");
  expect(exit).toBe(2);
  expect(err).toContain("line 1");
  expect(chunks).toBeLessThan(20);
});

test("a recording that is stopped says so, ends with 1, and what it recorded is whole", async () => {
  const shell = new Shell();
  const controller = new AbortController();
  async function* input() {
    yield Buffer.from(`${JSON.stringify(opening())}\n`);
    controller.abort();
    yield Buffer.from(`${JSON.stringify(message("too late"))}\n`);
  }
  const io = { input, signal: controller.signal };
  const stopped = await shell.runWith(io, "trace", "record", "-", "--json");
  expect(stopped.exit).toBe(1);
  const document = stopped.json<{ trace: string }>();
  expect(document).toEqual({
    trace: expect.stringMatching(/^trace_/),
    entries: 1,
    head: expect.any(String),
    interrupted: true,
  });
  const report = (await shell.run("verify", document.trace, "--json")).json();
  expect(report).toMatchObject({ entries: 1, failures: [] });
});

/** What a terminal would act on, newline apart. */
const HOSTILE = "\u001b[2J\u009b31m\u202e\u0007\u2028\ufe0f\u3164\u2800end";
const isHarmless = ({ out, err }: Ran): boolean =>
  !/\p{Cc}|\u202e|\u2028|\ufe0f|\u3164|\u2800/u.test((out + err).replaceAll("\n", ""));

test("text from a record never reaches the terminal as a control sequence", async () => {
  const shell = new Shell();
  const agents = { task: "t1", objective: `Do it ${HOSTILE}` };
  shell.script("script.jsonl", opening(agents), message(HOSTILE), abort(HOSTILE));
  expect(isHarmless(await shell.run("trace", "record", "script.jsonl"))).toBe(true);
  const lines = [
    ["trace", "ls"],
    ["trace", "show", "latest"],
    ["trace", "show", "latest", "1"],
    ["trace", "tail", "latest"],
    ["trace", "tail", "latest", "--follow"],
    ["trace", "fsck"],
    ["verify", "latest"],
    ["verify", `none${HOSTILE}`],
    ["trace", "prove", "latest", "1"],
  ];
  for (const line of lines)
    expect([line, isHarmless(await shell.run(...line))]).toEqual([line, true]);
});

test("tail shows the last entries, as many as asked for", async () => {
  const shell = await recorded();
  const seqs = async (...more: string[]) => {
    const { entries } = (await shell.run("trace", "tail", "latest", "--json", ...more)).json<{
      entries: { seq: number }[];
    }>();
    return entries.map(({ seq }) => seq);
  };
  expect(await seqs()).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  expect(await seqs("--lines", "2")).toEqual([34, 35]);
  expect(await seqs("-n", "1")).toEqual([35]);
  expect(await seqs("--lines", "0")).toEqual([]);
  expect(await seqs("--lines", "999")).toHaveLength(36);
});

test("a trace is found by its id, by the beginning of it, and as latest", async () => {
  const shell = await recorded();
  const { trace } = (await shell.run("trace", "show", "latest", "--json")).json<{
    trace: string;
  }>();
  // Without what all begin with, in large letters or small, too.
  const id = trace.slice("trace_".length);
  const short = [id, id.slice(0, 12), id.toLowerCase(), id.toLowerCase().slice(0, 12)];
  for (const wanted of [trace, trace.slice(0, 12), "latest", ...short])
    expect((await shell.run("trace", "show", wanted, "0", "--json")).json()).toMatchObject({
      trace,
    });
  await shell.run("trace", "record", EXAMPLE);
  const other = (await shell.run("trace", "show", "latest", "--json")).json<{ trace: string }>();
  const several = await shell.run("trace", "show", "trace_");
  expect(several.exit).toBe(2);
  const named = [trace, other.trace].toSorted().join(", ");
  expect(several.err).toContain(`begin with "trace_": ${named}; say more of the one that is meant`);
  expect((await shell.run("trace", "show", "latest", "36")).exit).toBe(2);
});

test("the state folder follows SWORN_STATE_DIR, then XDG_STATE_HOME, then the home folder", async () => {
  for (const [env, place] of [
    [{ XDG_STATE_HOME: "relative" }, ".local/state/sworn/keys"],
    [{}, ".local/state/sworn/keys"],
  ] as const) {
    const shell = new Shell();
    await shell.runWith({ env }, "init");
    expect(readFileSync(join(shell.folder, place, "sworn.json"), "utf8")).toContain('"sworn"');
  }
  const shell = new Shell();
  const [xdg, own] = [join(shell.folder, "xdg"), join(shell.folder, "own")];
  await shell.runWith({ env: { XDG_STATE_HOME: xdg } }, "init");
  expect(readFileSync(join(xdg, "sworn/keys/sworn.json"), "utf8")).toContain("sworn");
  await shell.runWith({ env: { SWORN_STATE_DIR: own, XDG_STATE_HOME: xdg } }, "init");
  expect(readFileSync(join(own, "keys/sworn.json"), "utf8")).toContain("sworn");
});

test("a state folder that depends on where one stands is refused: keys would lie in the work tree", async () => {
  const shell = new Shell();
  const { exit, err } = await shell.runWith({ env: { SWORN_STATE_DIR: "own" } }, "init");
  expect(exit).toBe(2);
  expect(err).toContain('SWORN_STATE_DIR is "own": expected a whole path');
  expect(existsSync(join(shell.folder, "project/own"))).toBe(false);
});

test("where there can be no folder that is said at once", async () => {
  const shell = new Shell();
  const { exit, err } = await shell.runWith(
    { env: { SWORN_STATE_DIR: "/proc/none/state" } },
    "init",
  );
  expect(exit).toBe(1);
  expect(err).toMatch(/the folder \/proc\/none\/\S+ cannot be made: .*\[STORE_READ_ONLY\]/);
});
