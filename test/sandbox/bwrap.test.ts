import { readdirSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { BwrapEngine } from "../../src/sandbox/index.ts";
import { verifies } from "../verifies.ts";
import { attempt } from "./attempt.ts";
import { redTeam, writesNowhereElse } from "./red-team.ts";

const engine = new BwrapEngine();
const HOST = { kind: "host" } as const;
const sh = (script: string, limits = {}, look?: (output: string) => void) =>
  attempt(engine, HOST, ["sh", "-c", script], limits, look);

afterAll(() => {
  const left = readdirSync("/sys/fs/cgroup", { recursive: false }).flatMap((folder) => {
    try {
      return readdirSync(`/sys/fs/cgroup/${folder}`).filter((name) => name.startsWith("sworn-"));
    } catch {
      return [];
    }
  });
  expect(left.filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
});

test("this machine can enforce everything that is asked for", async () => {
  expect(await engine.examine()).toEqual([]);
});

test("a task runs as an ordinary user with its own folders, streams and exit code", async () => {
  const { code, out, err } = await sh(
    "id -u; id -G; cat /workspace/input/given.txt; echo said > /dev/stderr; pwd; exit 7",
  );
  expect(out.split("\n")).toEqual(["1000", "1000", "given", "/workspace/data", ""]);
  expect([code, err]).toEqual([7, "said\n"]);
});

test("a program that is not there is named, and its task did not start", async () => {
  const { code, err } = await attempt(engine, HOST, ["no-such-program"]);
  expect([code, err]).toEqual([127, expect.stringContaining("no-such-program")]);
});

test("what the task writes to its output is there after its end, and gone after its release", async () => {
  let read = "";
  let path = "";
  await sh("echo kept > /workspace/output/a.txt", {}, (output) => {
    path = output;
    read = readFileSync(`${output}/a.txt`, "utf8");
  });
  expect(read).toBe("kept\n");
  expect(() => readdirSync(path)).toThrow();
});

test("a word that is no program is refused before anything is made", async () => {
  await expect(attempt(engine, HOST, ["A=1"])).rejects.toThrow(
    'expected a program to run, found "A=1"',
  );
  await expect(attempt(engine, HOST, ["a\0b"])).rejects.toThrow("zero byte");
});

test("the first process tells the truth about the task's end", async () => {
  expect((await sh("kill -SEGV $$")).code).toBe(139);
  expect((await sh("(sleep 0.2; exit 3) & exit 4")).code).toBe(4);
});

verifies("004-36", "nothing outside of its folders can be written to", () =>
  writesNowhereElse({ engine, root: HOST }),
);

redTeam(() => ({ engine, root: HOST }));
