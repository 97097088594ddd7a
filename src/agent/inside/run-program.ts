import { type ChildProcess, spawn } from "node:child_process";
import { CallRefused } from "./tree-path.ts";

const SECONDS_DEFAULT = 120;
const SECONDS_MAX = 600;
const WORDS_MAX = 1_000;
/** Of each end of what it prints so much is kept: the beginning says what it is, the end how it went. */
const END_BYTES_MAX = 16 << 10;
/** What it leaves behind may hold its pipes open: they are not waited for longer than this. */
const LAST_WORDS_MS = 500;

/** How a program ended, and both of its streams as they came. */
export interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isTimeout: boolean;
  readonly output: string;
}

/**
 * Runs a program of the model's choice in the work tree. A list of words and no shell: what stands in
 * a word is never read as anything else. Its group ends with it.
 *
 * @throws CallRefused for what is no list of words, and for a program that cannot be started.
 */
export function runProgram(tree: string, argv: unknown, seconds?: unknown): Promise<Ran> {
  const words = wordsOf(argv);
  const [program = "", ...args] = words;
  const limit = typeof seconds === "number" && seconds > 0 ? seconds : SECONDS_DEFAULT;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: tree,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const output = new BothEnds();
    let isTimeout = false;
    let lastWords: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      isTimeout = true;
      killGroup(child);
    }, Math.min(limit, SECONDS_MAX) * 1_000);
    const finish = (): void => {
      clearTimeout(timer);
      clearTimeout(lastWords);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({
        code: child.exitCode,
        signal: child.signalCode,
        isTimeout,
        output: output.toString(),
      });
    };
    child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(new CallRefused(`${program} cannot be started: ${error.message}`));
    });
    child.once("exit", () => {
      killGroup(child);
      lastWords = setTimeout(finish, LAST_WORDS_MS);
    });
    child.once("close", finish);
  });
}

function wordsOf(argv: unknown): string[] {
  const isList = Array.isArray(argv) && argv.length > 0 && argv.length <= WORDS_MAX;
  const words = isList ? argv.filter((word) => typeof word === "string") : [];
  if (!isList || words.length !== argv.length || words.some((word) => word.includes("\0"))) {
    throw new CallRefused('expected the program and its arguments as a list: ["npm", "test"]');
  }
  return words;
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone already.
  }
}

/** The beginning and the end of something long, in bounded memory. */
class BothEnds {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const room = END_BYTES_MAX - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length > 0) {
      this.#tail = Buffer.concat([this.#tail, rest.subarray(-END_BYTES_MAX)]).subarray(
        -END_BYTES_MAX,
      );
    }
  }

  toString(): string {
    const missing = this.#bytes - this.#head.length - this.#tail.length;
    const gap = missing > 0 ? `\n(${missing} bytes are left out here)\n` : "";
    return this.#head.toString("utf8") + gap + this.#tail.toString("utf8");
  }
}
