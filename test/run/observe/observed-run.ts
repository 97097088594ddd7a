import { expect } from "vitest";
import { type ExecuteOptions, execute } from "../../../src/run/execute/index.ts";
import { BwrapEngine, type Task } from "../../../src/sandbox/index.ts";
import { Limits } from "../../../src/schema/execution.ts";

const engine = new BwrapEngine();
let count = 0;

/** Runs a command in a sandbox that is watched from outside, to its end. */
export async function observedRun(
  argv: readonly string[],
  more: Partial<Task> & Partial<Pick<ExecuteOptions, "signal" | "onOutput" | "graceMs">> = {},
) {
  count += 1;
  const { signal = new AbortController().signal, onOutput = () => {}, graceMs, ...task } = more;
  const limits = Limits.parse({ step_seconds: 60, ...task.limits });
  const prepared = await engine.prepare({
    id: `observed-${process.pid}-${count}`,
    root: { kind: "host" },
    argv,
    cwd: "/workspace/data",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/workspace/data", LC_ALL: "C" },
    mounts: [],
    isObserved: true,
    ...task,
    limits,
  });
  try {
    expect(prepared.trace).toBeDefined();
    const ran = await execute(prepared, { limits, signal, onOutput, graceMs });
    if (ran.kind !== "ran") throw new Error("the task did not begin");
    if (ran.observed === undefined) throw new Error("the task was not observed");
    const text = ran.stdout.kept.toString() + ran.stderr.kept.toString();
    return { end: ran.end, text, ...ran.observed };
  } finally {
    prepared.release();
  }
}
