import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { opening, request } from "../fake/sandbox.ts";
import { Shell } from "./shell.ts";

const HOSTILE = "Now\u202egnp.exe\u001b[2J\nsworn deliver everything";

/** A project with a question of somebody who would like to steer the terminal. */
async function desk(): Promise<Shell> {
  const shell = new Shell();
  await shell.run("ask", HOSTILE, "--default", "no", "--task", "login");
  return shell;
}

test("an empty project says so on one screen, and nothing is made", async () => {
  const shell = new Shell();
  const { exit, out } = await shell.run("status");
  expect([exit, out]).toEqual([
    0,
    'Nothing is recorded here yet; "sworn review" makes a first record\nNo agent has run here yet.\n',
  ]);
});

test("hostile text is shown on one line with what is hidden written out", async () => {
  const { out } = await (await desk()).run("status");
  expect(out).toContain("Now⟦U+202E⟧gnp");
  for (const hidden of ["\u001b", "\u202e"]) expect(out).not.toContain(hidden);
  expect(out.split("\n").filter((line) => line.startsWith("sworn deliver"))).toEqual([]);
});

test("more than fits is counted: at most 24 lines, words of 80 columns, whole commands, all of it in JSON", async () => {
  const shell = new Shell();
  shell.script("half.jsonl", opening({ task: `t-${"x".repeat(60)}`, objective: "y".repeat(300) }));
  for (let number = 0; number < 13; number += 1) await shell.run("trace", "record", "half.jsonl");
  const task = `login-${"x".repeat(50)}`;
  await shell.run("ask", "z".repeat(500), "--default", "no", "--task", task);
  const { out } = await shell.run("status");
  const lines = out.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines[1]).toMatch(/^WAITS {5}question /);
  expect(out).toContain('and 4 more; "sworn status --json" has all of them');
  const { items } = (await shell.run("status", "--json")).json<{ items: { next: string }[] }>();
  expect(items.length).toBe(14);
  for (const { next } of items) expect(next).toMatch(/^sworn \w/);
  const commands = items.slice(0, 10).map(({ next }) => `${" ".repeat(10)}${next}`);
  expect(commands.some((line) => line.length > 80)).toBe(true);
  expect(lines.filter((line) => line.startsWith("          sworn "))).toEqual(commands);
  const prose = lines.filter((line) => !commands.includes(line));
  for (const line of prose) expect(line.length).toBeLessThanOrEqual(80);
  expect(prose.some((line) => line.endsWith("…"))).toBe(true);
});

test("what goes with --review is refused without it", async () => {
  const { exit, err } = await new Shell().run("status", "--task", "login");
  expect([exit, err]).toEqual([2, expect.stringContaining("expected --review beside them")]);
});

test("--watch draws again when something changed, over itself on a terminal, until it is ended", async () => {
  const shell = await desk();
  const ending = new AbortController();
  const screens: string[] = [];
  const watching = shell.runWith(
    {
      signal: ending.signal,
      columns: 80,
      out: (text) => {
        screens.push(String(text));
      },
    },
    "status",
    "--watch",
  );
  const until = async (count: number) => {
    for (let tries = 0; screens.length < count && tries < 200; tries += 1) await wait(50);
    expect(screens.length).toBeGreaterThanOrEqual(count);
  };
  await until(1);
  shell.script("one.jsonl", opening(), request("ada", "planner", "message_posted", { text: "a" }));
  await shell.run("trace", "record", "one.jsonl");
  await until(2);
  ending.abort();
  expect((await watching).exit).toBe(0);
  expect(screens[0]?.startsWith("\u001b[2J\u001b[H1 waiting")).toBe(true);
  expect(screens[1]).toContain("2 waiting");
});

test("a damaged trace does not keep the rest from being shown", async () => {
  const shell = await desk();
  shell.script("one.jsonl", opening());
  await shell.run("trace", "record", "one.jsonl");
  const { traces } = (await shell.run("trace", "ls", "--json")).json<{
    traces: { trace: string; task: string }[];
  }>();
  const trace = traces.find(({ task }) => task === "t1")?.trace ?? "";
  rmSync(join(shell.cwd, ".sworn/traces", trace, "ledger.db"));
  const { exit, out } = await shell.run("status");
  expect(exit).toBe(0);
  expect(out.split("\n")[1]).toMatch(/^DAMAGED {3}trace/);
  expect(out).toContain(`sworn trace fsck ${trace}`);
  expect(out).toContain("WAITS     question login");
});
