import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { messageOf, SwornError } from "../base/index.ts";
import { type Environment, gitEnvironment, gitGlobalArguments } from "./git-environment.ts";
import type { ObjectMemory } from "./object-memory.ts";

/** How long git may be silent while we wait for it. */
const SILENCE_MS_MAX = 120_000;
/** The most a short answer may have: one name, one id, a handful of references. */
const ANSWER_BYTES_MAX = 1 << 20;
/** How much of git's complaint is kept. */
const COMPLAINT_CHARS_MAX = 2_000;

export type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** What keeps a process of ours running. Pipes of a child do, although their types do not say so. */
interface Held {
  ref(): void;
  unref(): void;
}

/** Keeps our own process running while a git does, or lets it end. */
export function holdGit(child: GitChild, isHeld: boolean): void {
  for (const part of [child, child.stdin, child.stdout, child.stderr] as Held[]) {
    if (isHeld) part.ref();
    else part.unref();
  }
}

export interface GitOptions {
  readonly folder: string;
  readonly env: Environment;
  /** Variables that are ours, such as GIT_DIR of a folder that we made. */
  readonly own?: Environment;
  readonly signal?: AbortSignal | undefined;
  /** For one that is asked about objects by their ids alone. */
  readonly memory?: ObjectMemory;
}

/** How a git process ended. */
export interface GitEnd {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly complaint: string;
}

/** Starts git: always the program, never a shell, and never with anything from the repository in charge. */
export class Git {
  readonly #options: GitOptions;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  /** Starts a process that the caller reads, and must kill when it is done. */
  start(args: readonly string[]): { child: GitChild; end: Promise<GitEnd> } {
    const { folder, env, own, signal } = this.#options;
    signal?.throwIfAborted();
    const child = spawn("git", [...gitGlobalArguments(), ...args], {
      cwd: folder,
      env: gitEnvironment(env, own),
      stdio: ["pipe", "pipe", "pipe"],
      // A group of its own: Ctrl-C at a terminal is for us, and what was found is still to be checked.
      detached: true,
    });
    assertPipes(child);
    const kill = () => void child.kill("SIGKILL");
    signal?.addEventListener("abort", kill, { once: true });
    const end = endOf(child).then((ended) => {
      signal?.removeEventListener("abort", kill);
      signal?.throwIfAborted();
      return ended;
    });
    // Whoever stops reading early never looks at the end; that alone is no crash.
    end.catch(() => undefined);
    return { child, end };
  }

  /**
   * The output as it comes.
   *
   * @throws SwornError `STORE_UNREADABLE` when git fails, falls silent or cannot be started; the
   * signal's reason when the work was called off.
   */
  async *stream(args: readonly string[]): AsyncGenerator<Buffer> {
    const { memory, signal } = this.#options;
    const known = memory?.answer(args);
    if (known !== undefined) {
      signal?.throwIfAborted();
      yield known;
      return;
    }
    const kept = new KeptOutput(memory?.room(args) ?? -1);
    for await (const chunk of this.#output(args)) {
      kept.add(chunk);
      yield chunk;
    }
    if (kept.isWhole) memory?.keep(args, kept.bytes);
  }

  async *#output(args: readonly string[]): AsyncGenerator<Buffer> {
    const { child, end } = this.start(args);
    child.stdin.end();
    const watch = () => setTimeout(() => child.kill("SIGKILL"), SILENCE_MS_MAX);
    let timer = watch();
    try {
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
        // The time that the reader takes is not git's silence.
        clearTimeout(timer);
        yield chunk;
        timer = watch();
      }
      const { code, complaint } = await end;
      if (code !== 0) throw gitFailed(args, code === null ? SILENT : complaint);
    } finally {
      clearTimeout(timer);
      child.kill("SIGKILL");
    }
  }

  /** A short answer, whatever the exit code: for questions where "no" is an answer. */
  async ask(args: readonly string[], input?: Buffer): Promise<GitEnd & { readonly out: Buffer }> {
    const { child, end } = this.start(args);
    child.stdin.end(input);
    const timer = setTimeout(() => child.kill("SIGKILL"), SILENCE_MS_MAX);
    try {
      const out = await collect(child.stdout, args);
      const ended = await end;
      if (ended.code === null) throw gitFailed(args, ended.complaint || SILENT);
      return { ...ended, out };
    } finally {
      clearTimeout(timer);
      child.kill("SIGKILL");
    }
  }

  /** One line of an answer; undefined when git says no. */
  async line(args: readonly string[]): Promise<string | undefined> {
    const { code, out } = await this.ask(args);
    return code === 0 ? out.toString("utf8").replace(/\n$/, "") : undefined;
  }
}

/** The chunks of an output, for as long as they are few enough to be kept. */
class KeptOutput {
  readonly #bytesMax: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.isWhole) this.#chunks.push(chunk);
    else this.#chunks.length = 0;
  }

  get isWhole(): boolean {
    return this.#size <= this.#bytesMax;
  }

  /** A copy: a chunk is a part of a larger piece of memory. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

const SILENT = "it was stopped or gave no answer in time";

async function collect(stdout: Readable, args: readonly string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) {
      const what = `git ${args[0]} answered with more than ${ANSWER_BYTES_MAX} bytes`;
      throw new SwornError("LIMIT_EXCEEDED", what);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function endOf(child: GitChild): Promise<GitEnd> {
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINT_CHARS_MAX);
  });
  // A write to a process that has just died is told by its end, not here.
  child.stdin.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(notStarted(error)));
    child.once("close", (code) => resolve({ code, complaint }));
  });
}

/** Without a free descriptor a child has no pipes, whatever its type says, and why is told after this. */
function assertPipes(child: { readonly stdin: unknown } & Pick<GitChild, "once">): void {
  if (child.stdin) return;
  child.once("error", () => undefined);
  throw notStarted(new Error("too many files are open"));
}

function notStarted(error: Error): SwornError {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  return isMissing
    ? new SwornError("NOT_FOUND", "git was not found; install git, or put it on the PATH")
    : new SwornError("STORE_UNREADABLE", `git could not be started: ${messageOf(error)}`);
}

/** How git says, in its plain words, that the disk took no more. */
const NO_ROOM = /No space left on device|Out of diskspace|Disk quota exceeded|File too large/i;

/** The error for a git that said no where it had to say yes: the machine's where there was no room. */
export function gitFailed(args: readonly string[], complaint: string): SwornError {
  const code = NO_ROOM.test(complaint) ? "ARTIFACT_WRITE_FAILED" : "STORE_UNREADABLE";
  return new SwornError(code, `git ${args[0]} failed: ${plainWords(complaint)}`);
}

/** Git's words without control characters: file names in them could steer a terminal. */
export function plainWords(complaint: string): string {
  const words = complaint.replace(/\p{Cc}+/gu, " ").trim();
  return words === "" ? "it gave no reason" : words;
}
