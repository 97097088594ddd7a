import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { SwornError } from "../../base/index.ts";
import type { HostOwner, Task } from "../engine.ts";
import { hostRoot, type RootPart } from "../host-root.ts";
import { seccompProgram } from "../seccomp.ts";
import type { TaskGroup } from "../task-group.ts";
import { bwrapArguments, LAUNCHER, type OpenPart } from "./arguments.ts";
import { openNamelessFile } from "./nameless-file.ts";
import { isObservable, OBSERVER } from "./observer.ts";
import { RunningBwrap } from "./running.ts";

const FDS = { args: 3, seccomp: 4, info: 5, launcher: 6, channel: 7 } as const;
/** One socket for both: the report comes out, the word goes in. */
export const CHANNEL = { report: FDS.channel, word: FDS.channel } as const;
const FIRST_FREE_FD = 8;
const INFO_BYTES_MAX = 10_000;

/** A bubblewrap process that waits to be told what to build. */
export interface WaitingBwrap {
  /** Bubblewrap, or strace, which is its parent then and ends as it does. */
  readonly child: ChildProcess;
  /** Its end, or that it could not be started; it never fails. */
  readonly exited: Promise<unknown>;
  readonly isObserved: boolean;
}

/** A caller who is root becomes the owner first: bubblewrap would map root's own uid. */
export async function spawnBwrap(
  task: Task,
  uid: number,
  owner: HostOwner | undefined,
): Promise<WaitingBwrap> {
  const { parts, texts } = withDescriptors(rootOf(task, uid));
  const told = bwrapArguments(parts, task.mounts, task.limits, FDS, { uid, cwd: task.cwd });
  const isObserved = task.isObserved === true && (await isObservable(owner));
  const command = ["bwrap", "--args", `${FDS.args}`, "--", LAUNCHER];
  const [program = "", ...args] = isObserved ? [...OBSERVER, ...command] : command;
  const files: number[] = [];
  const file = (content: string | Buffer): number => {
    const fd = openNamelessFile(content);
    files.push(fd);
    return fd;
  };
  try {
    const words = file(told.map((one) => `${one}\0`).join(""));
    const known = [words, file(seccompProgram()), "pipe", "pipe", "pipe"] as const;
    const child = spawn(program, args, {
      stdio: [task.stdin ?? "ignore", "ignore", "pipe", ...known, ...texts.map(file)],
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
      cwd: "/",
      detached: true,
      ...owner,
    });
    const exited = exitOf(child);
    assertPipes(child);
    return { child, exited, isObserved };
  } finally {
    // The child has them by now.
    for (const fd of files) closeSync(fd);
  }
}

/** Without a free descriptor a child has no pipes, whatever its type says. */
function assertPipes({ stdio }: { readonly stdio: unknown }): void {
  if (stdio) return;
  const message = "bubblewrap could not be started: too many files are open";
  throw new SwornError("SANDBOX_FAILED", message);
}

/** Asked for at once: what cannot be started says so before anybody who waits for the start goes on. */
function exitOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.on("error", resolve);
  });
}

/**
 * Lets bubblewrap build the sandbox, and meanwhile puts its first process under the limits: that one
 * is the launcher, which starts nothing before it is told to.
 */
export async function startBwrap(
  { child, exited, isObserved }: WaitingBwrap,
  task: Task,
  launcher: Buffer,
  group: TaskGroup,
): Promise<RunningBwrap> {
  const ends = child.stdio as readonly unknown[];
  const running = new RunningBwrap(child, group, {
    exited,
    channel: FDS.channel,
    trace: isObserved ? { launcher: LAUNCHER, cwd: task.cwd } : undefined,
  });
  const program = ends[FDS.launcher] as Writable;
  // Whatever ends bubblewrap early also breaks this pipe; its end is what counts.
  program.on("error", () => {});
  program.end(launcher);
  try {
    running.pid = await firstPid(ends[FDS.info] as Readable, running.exited);
    await group.add(running.pid);
    return running;
  } catch (error) {
    running.stop("it did not start");
    await running.end;
    const complaint = await running.complaint();
    throw new SwornError("SANDBOX_FAILED", `bubblewrap could not build the sandbox${complaint}`, {
      cause: error,
    });
  }
}

function rootOf({ root }: Task, uid: number): RootPart[] {
  if (root.kind === "host") return hostRoot(uid);
  if (root.kind === "folder") return [{ kind: "folder", source: root.path, target: "/" }];
  throw new SwornError(
    "SANDBOX_FAILED",
    "bubblewrap has no images; build the environment as a folder",
  );
}

/** Texts are read from descriptors, numbered behind the others. */
function withDescriptors(root: readonly RootPart[]): { parts: OpenPart[]; texts: string[] } {
  const texts: string[] = [];
  const parts = root.map((part): OpenPart => {
    if (part.kind !== "text") return part;
    return { kind: "text", fd: FIRST_FREE_FD + texts.push(part.text) - 1, target: part.target };
  });
  return { parts, texts };
}

/** The number of the first process, which bubblewrap tells as soon as there is one. */
async function firstPid(info: Readable, exited: Promise<unknown>): Promise<number> {
  let text = "";
  const reading = (async () => {
    for await (const chunk of info) {
      text += String(chunk);
      if (text.length > INFO_BYTES_MAX || text.includes("}")) break;
    }
  })();
  await Promise.race([reading, exited]);
  const pid = Number(/"child-pid":\s*(\d+)/.exec(text)?.[1]);
  if (!Number.isSafeInteger(pid)) throw new Error("bubblewrap named no process");
  return pid;
}
