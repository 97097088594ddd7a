import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { onTestFinished } from "vitest";

/** The command as people run it. */
export const SWORN = resolve(import.meta.dirname, "../../dist/cli/bin.js");
/** A guard against hanging, not a promise about speed. */
const HANG_GUARD_MS = 90_000;

/** How a process ended and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** Whether the hang guard had to end it. */
  readonly hung: boolean;
}

/** A process that runs, and the promise of its end. It does not outlive the test. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stdout holds the text so often, or the process has ended without saying it. */
  said(text: string, times?: number): Promise<void>;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Buffer;
  readonly guardMs?: number;
}

/** Starts a program in a process group of its own, so that ending it ends what it started too. */
export function start(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Running {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  let hung = false;
  const end = () => {
    try {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  };
  const guard = setTimeout(() => {
    hung = true;
    end();
  }, options.guardMs ?? HANG_GUARD_MS);
  onTestFinished(end);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  // A program that does not read its input to the end is its own business.
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(guard);
      resolve({ code, signal, ...said, hung });
    });
  });
  return {
    process: child,
    ended,
    said: (text, times = 1) => waitFor(() => said.out.split(text).length > times, ended),
  };
}

async function waitFor(isThere: () => boolean, ended: Promise<Ended>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over && !isThere()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<Ended> {
  return start(command, args, options).ended;
}

/** Runs `sworn` in a project, with a user's state of its own. */
export async function sworn(
  place: { readonly project: string; readonly state: string },
  args: readonly string[],
  options: ChildOptions = {},
): Promise<Ended> {
  return run(process.execPath, [SWORN, ...args], {
    cwd: place.project,
    ...options,
    env: { SWORN_STATE_DIR: place.state, ...options.env },
  });
}

/** Does something for every item, a few at a time, in order of the items. */
export async function each<T, R>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
