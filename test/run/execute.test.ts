import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { execute, StepGate } from "../../src/run/index.ts";
import { BwrapEngine, type Prepared, type TaskEnd } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
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

test("a task that cannot be watched to its end is ended", async () => {
  const limits = Limits.parse({});
  const prepared = await engine.prepare({
    id: `unwatched-${process.pid}`,
    root: { kind: "host" },
    argv: ["sh", "-c", "echo out; sleep 300"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    mounts: [],
    limits,
  });
  const onOutput = () => {
    throw new Error("the reader is gone");
  };
  const signal = new AbortController().signal;
  await expect(execute(prepared, { limits, signal, onOutput })).rejects.toThrow(
    "the reader is gone",
  );
  expect(await prepared.end).toMatchObject({ limit: "it could not be watched" });
  prepared.release();
});

describe("a command before the task", () => {
  async function both(before: string, after: string, change: () => void = () => {}) {
    const folder = temporaryFolder();
    chmodSync(folder, 0o711);
    const shared = join(folder, "gate");
    mkdirSync(shared, { mode: 0o700 });
    if (engine.owner) chownSync(shared, engine.owner.uid, engine.owner.gid);
    const gate = await StepGate.open(shared);
    const limits = Limits.parse({ step_seconds: 20 });
    const prepared = await engine.prepare({
      id: `steps-${Math.random().toString(36).slice(2)}`,
      root: { kind: "host" },
      before: { argv: ["sh", "-c", before], gate: StepGate.within("/run/sworn/gate") },
      argv: ["sh", "-c", after],
      cwd: "/workspace/data",
      env: { PATH: "/usr/bin:/bin" },
      mounts: [{ source: shared, target: "/run/sworn/gate", isWritable: false }],
      limits,
    });
    let heard = "";
    const between = { gate, change: async () => change() };
    const executed = await execute(prepared, {
      limits,
      signal: new AbortController().signal,
      onOutput: (_, chunk) => {
        heard += chunk.toString();
      },
      between,
    });
    prepared.release();
    return { executed, heard };
  }

  test("runs in the same place, and the surroundings change between the two", async () => {
    const order: string[] = [];
    const change = () => order.push("changed");
    const { executed, heard } = await both("echo kept > file; echo one", "cat file; exit 7", () =>
      change(),
    );
    expect(executed).toMatchObject({ before: { code: 0 }, end: { code: 7 } });
    expect(heard).toBe("one\nkept\n");
    expect(order).toEqual(["changed"]);
  });

  test("leaves nothing running", async () => {
    const { executed, heard } = await both(
      "setsid sh -c 'sleep 300' & setsid sh -c 'while :; do sleep 1; done' & exit 0",
      "ls /proc | grep -c '^[0-9]'",
    );
    expect(executed).toMatchObject({ end: { code: 0 } });
    // The first process, the shell, and the two programs of the pipe.
    expect(Number(heard)).toBeLessThanOrEqual(4);
  });

  test("that fails is all that runs, and its end is the end", async () => {
    let isChanged = false;
    const { executed, heard } = await both("exit 3", "echo never", () => {
      isChanged = true;
    });
    expect(executed).toMatchObject({ before: { code: 3 }, end: { code: 3 } });
    expect(heard).toBe("");
    expect(isChanged).toBe(false);
  });

  test("when the surroundings cannot be changed, the task does not begin", async () => {
    const { executed, heard } = await both("true", "echo never", () => {
      throw new Error("no");
    });
    expect(executed).toMatchObject({
      end: { code: undefined, limit: expect.stringMatching(/could not be changed/) },
    });
    expect(heard).toBe("");
  });

  test("cannot give itself leave", async () => {
    const steal = `node -e 'const s=require("net").connect("/run/sworn/gate/gate.sock");s.on("error",e=>{console.log(e.code);process.exit(1)});s.on("connect",()=>{s.end(Buffer.alloc(4));console.log("in")})'`;
    const { executed, heard } = await both(
      `${steal}; ls -l /proc/1/fd 2>&1 | tail -1; exit 5`,
      "echo never",
    );
    expect(executed).toMatchObject({ end: { code: 5 } });
    expect(heard).toMatch(/ECONNREFUSED|ENOENT/);
    expect(heard).toMatch(/Permission denied/);
    expect(heard).not.toContain("never");
  });

  test("a signal that ends it is no success", async () => {
    const { executed } = await both("kill -KILL $$", "echo never");
    expect(executed).toMatchObject({ before: { signal: "SIGKILL" }, end: { code: 137 } });
  });
});

test("what watched a task keeps nothing waiting once all of it was read", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const lines = Readable.from([]);
  let ends = (_end: TaskEnd) => {};
  const end = new Promise<TaskEnd>((resolve) => {
    ends = resolve;
  });
  const prepared = {
    controls: [{ name: "network", holds: true, seen: "none" }],
    stdout: Readable.from([]),
    stderr: Readable.from([]),
    ...{ output: "/", end, begin: () => {}, stop: () => {}, release: () => {}, usage: () => [] },
    trace: { lines, launcher: "/launch", cwd: "/" },
  } as unknown as Prepared;
  const { signal } = new AbortController();
  const running = execute(prepared, { limits: Limits.parse({}), signal, onOutput: () => {} });
  lines.on("close", () =>
    setImmediate(() => ends({ code: 0, signal: undefined, limit: undefined })),
  );
  await running;
  await new Promise((resolve) => setImmediate(resolve));
  expect(vi.getTimerCount()).toBe(0);
});
