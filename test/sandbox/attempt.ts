import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type ExecuteOptions, execute } from "../../src/run/execute/index.ts";
import type { Engine, RootFiles, Task, TaskEnd } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** What came of an attempt. */
export interface Attempt extends TaskEnd {
  readonly out: string;
  readonly err: string;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
let count = 0;

/** Runs one command in a sandbox of an engine, to its end, as a run does it: only when all controls hold. */
export async function attempt(
  engine: Engine,
  root: RootFiles,
  argv: readonly string[],
  some: Partial<Limits> = {},
  look: (output: string) => void = () => {},
  more: Pick<Partial<Task>, "env" | "mounts"> & Partial<Pick<ExecuteOptions, "onOutput">> = {},
): Promise<Attempt> {
  count += 1;
  const folder = temporaryFolder();
  chmodSync(folder, 0o711);
  const input = join(folder, "input");
  mkdirSync(input, { mode: 0o700 });
  writeFileSync(join(input, "given.txt"), "given\n");
  if (engine.owner) chownSync(input, engine.owner.uid, engine.owner.gid);
  const limits = Limits.parse({ memory_bytes: 256 * (1 << 20), step_seconds: 60, ...some });
  const prepared = await engine.prepare({
    id: `attempt-${process.pid}-${count}`,
    root,
    argv,
    cwd: "/workspace/data",
    env: { PATH, HOME: "/workspace/data", LC_ALL: "C", ...more.env },
    mounts: [
      { source: input, target: "/workspace/input", isWritable: false },
      ...(more.mounts ?? []),
    ],
    limits,
  });
  try {
    const signal = new AbortController().signal;
    const { onOutput = () => {} } = more;
    const ran = await execute(prepared, { limits, signal, onOutput });
    expect(ran).toMatchObject({ kind: "ran" });
    if (ran.kind !== "ran") throw new Error("the task did not begin");
    look(prepared.output);
    return { ...ran.end, out: ran.stdout.kept.toString(), err: ran.stderr.kept.toString() };
  } finally {
    prepared.release();
  }
}
