import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Engine, RootFiles, Task, TaskEnd } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** What came of an attempt. */
export interface Attempt extends TaskEnd {
  readonly out: string;
  readonly err: string;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const STREAM_CHARS_MAX = 1_000_000;
let count = 0;

/** Runs one command in a sandbox of an engine, to its end, and checks that all controls held first. */
export async function attempt(
  engine: Engine,
  root: RootFiles,
  argv: readonly string[],
  limits: Partial<Limits> = {},
  look: (output: string) => void = () => {},
  more: Pick<Partial<Task>, "env" | "mounts"> = {},
): Promise<Attempt> {
  count += 1;
  const folder = temporaryFolder();
  chmodSync(folder, 0o711);
  const input = join(folder, "input");
  mkdirSync(input, { mode: 0o700 });
  writeFileSync(join(input, "given.txt"), "given\n");
  if (engine.owner) chownSync(input, engine.owner.uid, engine.owner.gid);
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
    limits: Limits.parse({ memory_bytes: 256 * (1 << 20), step_seconds: 60, ...limits }),
  });
  try {
    expect(prepared.controls.filter(({ holds }) => !holds)).toEqual([]);
    const texts = { out: "", err: "" };
    prepared.stdout.on("data", (chunk: Buffer) => {
      texts.out = (texts.out + chunk.toString()).slice(0, STREAM_CHARS_MAX);
    });
    prepared.stderr.on("data", (chunk: Buffer) => {
      texts.err = (texts.err + chunk.toString()).slice(0, STREAM_CHARS_MAX);
    });
    const guard = setTimeout(() => prepared.stop("guard"), 60_000);
    prepared.begin();
    const [end] = await Promise.all([
      prepared.end,
      new Promise((resolve) => prepared.stdout.once("end", resolve)),
      new Promise((resolve) => prepared.stderr.once("end", resolve)),
    ]);
    clearTimeout(guard);
    look(prepared.output);
    return { ...end, ...texts };
  } finally {
    prepared.release();
  }
}

/** A system call by its number, in the one language that every Debian has: prints the error or "done". */
export function perlCall(number: number, ...args: readonly (number | string)[]): string[] {
  const list = args.map((one) => (typeof one === "number" ? `${one}` : JSON.stringify(one)));
  const script = `my $r = syscall(${[number, ...list].join(", ")}); print $r < 0 ? 0 + $! : "done";`;
  return ["perl", "-e", script];
}
