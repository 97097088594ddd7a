import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import type { Duplex, Readable, Writable } from "node:stream";
import { SwornError } from "../../base/index.ts";
import type { Control, Prepared, Task, TaskEnd } from "../engine.ts";
import { hostRoot, type RootPart } from "../host-root.ts";
import { GO } from "../launcher.ts";
import { seccompProgram } from "../seccomp.ts";
import type { TaskGroup } from "../task-group.ts";
import { bwrapArguments, LAUNCHER, type OpenFolder, type OpenPart } from "./arguments.ts";
import { type OutputPipes, openOutputPipes } from "./named-pipes.ts";

/** Uids that belong to nobody on any machine; each run of root's takes one of them. */
const LENT_UIDS = { from: 1_500_000_000, count: 65_536 } as const;
const INFO_BYTES_MAX = 10_000;
const COMPLAINT_CHARS_MAX = 2_000;
/** One socket for both: the report comes out, the word goes in. */
export const CHANNEL = { report: 8, word: 8 } as const;
const FIRST_FREE_FD = 9;

/** A sandbox that has been built and waits. */
export interface StartedBwrap {
  /** The first process in it, as the host numbers it. */
  readonly pid: number;
  readonly channel: Readable;
  readonly exited: Promise<unknown>;
  readonly end: Promise<TaskEnd>;
  stop(why: string): void;
  /** What bubblewrap itself had to say. */
  complaint(): Promise<string>;
  prepared(controls: readonly Control[]): Prepared;
}

/** Everything that is handed over as an open descriptor, numbered as the child will see it. */
interface Handover {
  readonly stdio: ("pipe" | number)[];
  readonly root: OpenPart[];
  readonly folders: OpenFolder[];
  /** Texts that are written into pipes. */
  readonly texts: { readonly fd: number; readonly bytes: Buffer }[];
  readonly open: number[];
}

/**
 * Starts bubblewrap, puts its first process under the limits while it still waits, and lets it build
 * the sandbox. A caller who is root becomes nobody first: bubblewrap would map root's own uid.
 */
export async function startBwrap(
  task: Task,
  launcher: Buffer,
  group: TaskGroup,
  uid: number,
): Promise<StartedBwrap> {
  const streams = openOutputPipes();
  const handover = handOver(rootOf(task, uid), task);
  const pipes = Array<"pipe">(FIRST_FREE_FD - 3).fill("pipe");
  const fds = { args: 3, seccomp: 4, info: 5, block: 6, launcher: 7 };
  const child = spawn("bwrap", ["--args", `${fds.args}`, "--", LAUNCHER], {
    stdio: [task.stdin ?? "ignore", ...streams.inside, ...pipes, ...handover.stdio],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    cwd: "/",
    detached: true,
    ...lentUser(),
  });
  streams.closeInside();
  for (const fd of handover.open) closeSync(fd);
  const pipe = (fd: number) => child.stdio[fd] as unknown as Writable;
  const args = bwrapArguments(handover.root, handover.folders, task.limits, fds, {
    uid,
    cwd: task.cwd,
  });
  // Whatever ends bubblewrap early also breaks these pipes; its end is what counts.
  for (const fd of [fds.args, fds.seccomp, fds.block, fds.launcher]) pipe(fd).on("error", () => {});
  pipe(fds.args).end(args.map((arg) => `${arg}\0`).join(""));
  pipe(fds.seccomp).end(seccompProgram());
  pipe(fds.launcher).end(launcher);
  for (const { fd, bytes } of handover.texts)
    pipe(fd)
      .on("error", () => {})
      .end(bytes);
  const started = new RunningBwrap(child, streams, group);
  try {
    const pid = await firstPid(child.stdio[fds.info] as Readable, started.exited);
    group.add(pid);
    started.pid = pid;
    pipe(fds.block).end("g");
    return started;
  } catch (error) {
    started.stop("it did not start");
    await started.end;
    const complaint = await started.complaint();
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

function handOver(root: readonly RootPart[], task: Task): Handover {
  const handover: Handover = { stdio: [], root: [], folders: [], texts: [], open: [] };
  const openFolder = (path: string): number => {
    const fd = openSync(path, constants.O_RDONLY);
    handover.open.push(fd);
    handover.stdio.push(fd);
    return FIRST_FREE_FD + handover.stdio.length - 1;
  };
  try {
    for (const part of root) {
      if (part.kind === "link") handover.root.push(part);
      else if (part.kind === "folder") {
        handover.root.push({ kind: "folder", fd: openFolder(part.source), target: part.target });
      } else {
        handover.stdio.push("pipe");
        const fd = FIRST_FREE_FD + handover.stdio.length - 1;
        handover.texts.push({ fd, bytes: Buffer.from(part.text) });
        handover.root.push({ kind: "text", fd, target: part.target });
      }
    }
    for (const { source, target, isWritable } of task.mounts) {
      handover.folders.push({ fd: openFolder(source), target, isWritable });
    }
    return handover;
  } catch (error) {
    for (const fd of handover.open) closeSync(fd);
    throw error;
  }
}

function lentUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const uid = LENT_UIDS.from + Math.floor(Math.random() * LENT_UIDS.count);
  return { uid, gid: uid };
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

class RunningBwrap implements StartedBwrap {
  pid = 0;
  readonly channel: Duplex;
  readonly exited: Promise<unknown>;
  readonly end: Promise<TaskEnd>;
  readonly #child: ChildProcess;
  readonly #streams: OutputPipes;
  readonly #group: TaskGroup;
  #why: string | undefined;
  #output: number | undefined;

  constructor(child: ChildProcess, streams: OutputPipes, group: TaskGroup) {
    this.#child = child;
    this.#streams = streams;
    this.#group = group;
    this.channel = (child.stdio as readonly unknown[])[CHANNEL.word] as Duplex;
    const failed = new Promise<void>((resolve) => child.on("error", () => resolve()));
    this.exited = Promise.race([once(child, "exit"), failed]);
    this.end = this.#whenEnded();
  }

  stop(why: string): void {
    this.#why ??= why;
    // Its end is the end of everything inside: the first process dies with it, and all others with that.
    this.#child.kill("SIGKILL");
  }

  async complaint(): Promise<string> {
    let text = "";
    this.#streams.stderr.setEncoding("utf8");
    for await (const chunk of this.#streams.stderr) {
      text += String(chunk);
      if (text.length > COMPLAINT_CHARS_MAX) break;
    }
    return text === "" ? "" : `: ${text.slice(0, COMPLAINT_CHARS_MAX).trim()}`;
  }

  prepared(controls: readonly Control[]): Prepared {
    // Opened before the task has begun, so that no link of its making can lead elsewhere.
    const output = openSync(`/proc/${this.pid}/root/workspace/output`, constants.O_RDONLY);
    this.#output = output;
    const { stdout, stderr } = this.#streams;
    return {
      controls,
      stdout,
      stderr,
      output: `/proc/self/fd/${output}/.`,
      begin: () => void this.channel.write(GO),
      stop: (why) => this.stop(why),
      end: this.end,
      release: () => this.#release(),
    };
  }

  #release(): void {
    if (this.#output !== undefined) closeSync(this.#output);
    this.#output = undefined;
  }

  async #whenEnded(): Promise<TaskEnd> {
    await this.exited;
    const ranOut = this.#group.ranOutOfMemory();
    await this.#group.remove();
    this.channel.destroy();
    const { exitCode, signalCode } = this.#child;
    const limit = this.#why ?? (ranOut ? "memory" : undefined);
    return { code: exitCode ?? undefined, signal: signalCode ?? undefined, limit };
  }
}
