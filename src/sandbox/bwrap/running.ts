import type { ChildProcess } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { WORKSPACE } from "../../schema/execution.ts";
import type { Control, Prepared, ProcessTrace, TaskEnd } from "../engine.ts";
import { GO, type OutputEnds } from "../launcher.ts";
import type { TaskGroup } from "../task-group.ts";
import { usageOf } from "../usage-of.ts";

const COMPLAINT_CHARS_MAX = 2_000;
/** How long strace may take to write down the end of what was killed. */
const OBSERVER_END_MS = 5_000;

interface BwrapEnds {
  readonly exited: Promise<unknown>;
  /** Which of the child's descriptors the launcher reports on. */
  readonly channel: number;
  /** For an observed sandbox: then its standard error is what strace writes. */
  readonly trace: Omit<ProcessTrace, "lines"> | undefined;
}

/** A bubblewrap process with everything that belongs to it. */
export class RunningBwrap {
  /** The first process in the sandbox, as the host numbers it. */
  pid = 0;
  readonly channel: Duplex;
  readonly exited: Promise<unknown>;
  readonly end: Promise<TaskEnd>;
  readonly #child: ChildProcess;
  readonly #group: TaskGroup;
  readonly #trace: Omit<ProcessTrace, "lines"> | undefined;
  /** What bubblewrap has to say, or strace. */
  readonly #lines: Readable | undefined;
  #why: string | undefined;
  #isAsked = false;
  #output: number | undefined;

  constructor(child: ChildProcess, group: TaskGroup, { exited, channel, trace }: BwrapEnds) {
    this.#child = child;
    this.#group = group;
    this.#trace = trace;
    this.#lines = child.stderr ?? undefined;
    this.channel = (child.stdio as readonly unknown[])[channel] as Duplex;
    this.exited = exited;
    this.end = this.#whenEnded();
  }

  stop(why: string, graceMs = 0): void {
    this.#why ??= why;
    if (graceMs <= 0) {
      this.#kill();
      return;
    }
    // Whoever asks again does not give more time.
    if (this.#isAsked) return;
    this.#isAsked = true;
    // One by one: what made a session or a process group of its own is asked like all others.
    this.#group.signalAll("SIGTERM");
    this.#killLater(graceMs, () => this.#kill());
  }

  #kill(): void {
    // Whoever watches ends with what it watches, and then has seen all of it; it is given that time.
    if (this.#trace !== undefined && this.pid !== 0) {
      this.#group.killAll();
      this.#killLater(OBSERVER_END_MS, () => this.#child.kill("SIGKILL"));
      return;
    }
    // Its end is the end of everything inside: the first process dies with it, and all others with that.
    this.#child.kill("SIGKILL");
    // In case it does not: a task that got at the first process could have taken its tie away.
    this.#group.killAll();
  }

  #killLater(afterMs: number, kill: () => void): void {
    const timer = setTimeout(kill, afterMs);
    void this.exited.then(() => clearTimeout(timer));
  }

  /** What bubblewrap itself had to say. */
  async complaint(): Promise<string> {
    let text = "";
    for await (const chunk of this.#lines ?? []) {
      text += String(chunk);
      if (text.length > COMPLAINT_CHARS_MAX) break;
    }
    if (this.#trace !== undefined) text = text.replace(/^(?!bwrap: ).*$/gm, "");
    return text.trim() === "" ? "" : `: ${text.slice(0, COMPLAINT_CHARS_MAX).trim()}`;
  }

  /** With the ends, in the first process, of the pipes that the task prints into. */
  prepared(controls: readonly Control[], ends: OutputEnds): Prepared {
    const stdout = openPipe(`/proc/${this.pid}/fd/${ends.stdout}`);
    const stderr = openPipe(`/proc/${this.pid}/fd/${ends.stderr}`);
    // Opened before the task has begun, so that no link of its making can lead elsewhere.
    const output = openSync(`/proc/${this.pid}/root${WORKSPACE.output}`, constants.O_RDONLY);
    this.#output = output;
    return {
      controls,
      stdout,
      stderr,
      output: `/proc/self/fd/${output}/.`,
      begin: () => void this.channel.write(GO),
      trace: this.#lines && this.#trace && { ...this.#trace, lines: this.#lines },
      usage: () => usageOf(this.#group.folders),
      stop: (why, graceMs) => this.stop(why, graceMs),
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

/**
 * Pipes, as a shell makes them: Node gives children sockets instead, and a task that opens
 * `/dev/stderr` finds that a socket cannot be opened.
 */
function openPipe(path: string): Socket {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
