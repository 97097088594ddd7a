import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

const LAST_WORDS_MS = 500;

/** The agent as a child: its pipes, and its end. */
export interface AcpChild {
  readonly input: Writable;
  readonly output: Readable;
  /** How it ended, in words. Never rejects. */
  readonly ended: Promise<string>;
  /** Closes its input, then asks it to end, then ends it with everything in its group. */
  stop(): Promise<void>;
}

/**
 * Starts an agent in a group of its own, so that nothing of it is left.
 *
 * @param graceMs how long it has to end when its input is closed, and again when it is asked to
 */
export function startAcpChild(argv: readonly string[], cwd: string, graceMs: number): AcpChild {
  const [program = "", ...args] = argv;
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(program, args, {
    cwd,
    // What it complains about is kept with our own complaints.
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`the agent cannot be started: ${error.message}`));
    const how = (): string => `the agent ended with ${child.exitCode ?? child.signalCode}`;
    // Its last words may still be on their way; what it left behind may hold the pipe for ever.
    child.once("exit", () => setTimeout(() => resolve(how()), LAST_WORDS_MS).unref());
    child.once("close", () => resolve(how()));
  });
  return {
    input: child.stdin,
    output: child.stdout,
    ended,
    stop: async () => {
      child.stdin.end();
      if (!(await within(ended, graceMs))) {
        signalGroup(child, "SIGTERM");
        await within(ended, graceMs);
      }
      // Also when it ended by itself: it may have left others behind.
      signalGroup(child, "SIGKILL");
      await within(ended, graceMs);
      child.stdout.destroy();
    },
  };
}

async function within(ended: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isOver = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}
