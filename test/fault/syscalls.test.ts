import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { each, SWORN } from "../fake/child.ts";
import { opening, recording, temporaryFolder } from "../fake/sandbox.ts";
import { filesHit, survivesAll } from "./call-faults.ts";
import { projectIn } from "./project.ts";
import { everySecond } from "./seed.ts";
import { underStrace } from "./strace.ts";

test("a fault at any write into the database, its log or the head loses nothing", async () => {
  const ended = await survivesAll(["pwrite64"]);
  expect(ended.length).toBeGreaterThan(24);
  expect(filesHit(ended)).toEqual(expect.arrayContaining(["ledger.db", "ledger.db-wal", "head"]));
});

test("a fault at any fsync loses nothing", async () => {
  const ended = await survivesAll(["fsync", "fdatasync"]);
  expect(ended.length).toBeGreaterThan(18);
  expect(filesHit(ended)).toEqual(
    expect.arrayContaining(["incoming", "sha256", "ledger.db", "ledger.db-wal", "head"]),
  );
});

test("a fault at any rename loses nothing", async () => {
  expect(filesHit(await survivesAll(["rename"]))).toEqual(["incoming", "sha256"]);
});

test("a fault at any write of an artifact or of an answer loses nothing", async () => {
  const hit = new Set<string>();
  // Threads that wake each other write as well, and never as often as in the run before: the fault may
  // meet such a write, and not the one that was meant.
  for (let time = 0; time < 5 && !hit.has("incoming"); time += 1) {
    const ended = await survivesAll(["write"], (call) => !/eventfd|pipe:/.test(call));
    for (const name of filesHit(ended)) hit.add(name);
  }
  expect([...hit]).toContain("incoming");
});

test("a kill while a trace is being made leaves nothing that has to be mended", async () => {
  const names = ["fsync", "rename", "link"];
  const cases = [];
  for (const name of names) {
    const { ended } = await makeTrace(name);
    expect(ended.code).toBe(0);
    cases.push(...ended.calls.map((_, at) => ({ name, call: at + 1 })));
  }
  expect(cases.length).toBeGreaterThan(10);
  const problems = await each(everySecond(cases), 3, async ({ name, call }) => {
    const { project, ended } = await makeTrace(name, `signal=SIGKILL:when=${call}`);
    const what = `${name} ${call}: ${ended.calls[call - 1]}`;
    expect(ended.signal, what).toBe("SIGKILL");
    const { outcome } = await recording(project.place, [opening()]);
    expect(outcome, what).toEqual({ recorded: 1 });
    const found = [];
    for (const trace of project.place.traces()) found.push(await fsck(project.place, trace));
    const damaged = found.filter(({ status }) => status !== "ok");
    return damaged.map(({ problems }) => `${what}\n${JSON.stringify(problems)}`);
  });
  expect(problems.flat()).toEqual([]);
});

async function makeTrace(watched: string, fault?: string) {
  const project = projectIn(temporaryFolder(), "");
  mkdirSync(project.project);
  writeFileSync(join(project.project, "script.jsonl"), `${JSON.stringify(opening())}\n`);
  const command = [process.execPath, SWORN, "trace", "record", "script.jsonl"];
  return { project, ended: await underStrace(project, watched, fault, command) };
}
