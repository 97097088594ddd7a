import { expect, test } from "vitest";
import { execute } from "../../src/run/index.ts";
import { BwrapEngine } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { verifies } from "../verifies.ts";

const engine = new BwrapEngine();

async function run(argv: readonly string[], given: Partial<Limits>, signal?: AbortSignal) {
  const limits = Limits.parse(given);
  const prepared = await engine.prepare({
    id: `execute-${Math.random().toString(36).slice(2)}`,
    root: { kind: "host" },
    argv,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    mounts: [],
    limits,
  });
  try {
    const heard: string[] = [];
    const executed = await execute(prepared, {
      limits,
      signal: signal ?? new AbortController().signal,
      onOutput: (_, chunk) => heard.push(chunk.toString()),
    });
    return { executed, heard: heard.join("") };
  } finally {
    prepared.release();
  }
}

verifies(
  "004-59",
  "a step has a quarter of an hour and a job an hour, and the shorter one ends it",
  async () => {
    expect(Limits.parse({})).toMatchObject({ step_seconds: 900, job_seconds: 3_600 });
    const step = await run(["sleep", "100"], { step_seconds: 1 });
    expect(step.executed).toMatchObject({ kind: "ran", end: { limit: "step_seconds" } });
    const job = await run(["sleep", "100"], { job_seconds: 1 });
    expect(job.executed).toMatchObject({ kind: "ran", end: { limit: "job_seconds" } });
  },
);

test("what is printed is told as it comes, hashed whole, and kept in part", async () => {
  const { executed, heard } = await run(["sh", "-c", "echo out; echo err >&2"], {});
  expect(heard.split("\n").toSorted()).toEqual(["", "err", "out"]);
  expect(executed).toMatchObject({ stdout: { bytes: 4 }, stderr: { bytes: 4 } });
});

test("whoever calls it off ends it", async () => {
  const controller = new AbortController();
  controller.abort();
  const { executed } = await run(["sleep", "100"], {}, controller.signal);
  expect(executed).toMatchObject({ kind: "ran", end: { limit: "cancelled" } });
});

test("where a control does not hold, or nothing was looked at, the task never begins", async () => {
  for (const controls of [[], [{ name: "memory", holds: false, seen: "no limit" }]]) {
    const prepared = await engine.prepare({
      id: `broken-${controls.length}`,
      root: { kind: "host" },
      argv: ["sh", "-c", "echo began"],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      mounts: [],
      limits: Limits.parse({}),
    });
    const heard: Buffer[] = [];
    const executed = await execute(
      { ...prepared, controls },
      {
        limits: Limits.parse({}),
        signal: new AbortController().signal,
        onOutput: (_, chunk) => heard.push(chunk),
      },
    );
    prepared.release();
    expect([executed.kind, heard]).toEqual(["not-begun", []]);
  }
});
