import { assert, SwornError } from "../base/index.ts";
import { buildProgram, type CallRow, DATA_AT } from "./elf.ts";
import type { Task } from "./engine.ts";
import { SYSCALLS, type Syscall } from "./syscalls.ts";

/** The exit code of the launcher when the task could not be started at all. */
export const NOT_STARTED = 125;
/** Where the launcher reports, and where it waits for the word. */
export interface LauncherChannel {
  readonly report: number;
  readonly word: number;
}

/** What tells the launcher to go on. */
export const GO = Buffer.from("g");
const STDOUT = 1;
const STDERR = 2;
/** Finds the program on the task's own PATH; every environment has it. */
const FINDER = "/usr/bin/env";

/** The kernel gives the lowest free numbers; so early in the launcher's life these are known. */
const OUTPUT_PIPES = [
  { from: 3, into: 4, as: STDOUT },
  { from: 4, into: 5, as: STDERR },
] as const;

/** The launcher's descriptors from which can be read what the task prints. */
export interface OutputEnds {
  readonly stdout: number;
  readonly stderr: number;
  /** Whether the report says that they are where they should be. */
  areIn(report: Buffer): boolean;
}

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0x80000;
/** What the kernel takes, with the zero at the end. */
const UNIX_PATH_BYTES_MAX = 108;

/** A place in the launcher's memory that comes back with its report. */
export interface Slot {
  readonly at: bigint;
  readonly offset: number;
  readonly size: number;
}

/**
 * Writes the program that is the first thing to run in a sandbox: it sets limits, asks the kernel
 * questions from inside, reports on its standard output, waits for a byte on its standard input,
 * and becomes the task. So what was looked at is the very place that the task runs in.
 */
export class LauncherWriter {
  readonly #chunks: Buffer[] = [];
  readonly #rows: CallRow[] = [];
  /** What is closed when the word has come. */
  readonly #untilWord = new Set<number>();
  #size = 0;

  /** Memory with some content; what the kernel writes there comes back in the report. */
  memory(content: Buffer): Slot {
    const offset = this.#size;
    const padded = Buffer.alloc(Math.ceil(content.length / 16) * 16 || 16);
    content.copy(padded);
    this.#chunks.push(padded);
    this.#size += padded.length;
    return { at: DATA_AT + BigInt(offset), offset, size: content.length };
  }

  text(text: string): Slot {
    return this.memory(Buffer.from(`${text}\0`));
  }

  /** Makes a call; the slot holds its result, negative for an error. */
  call(name: Syscall, ...args: readonly (number | bigint)[]): Slot {
    return this.#add(name, false, args);
  }

  #add(name: Syscall, isFirstAddress: boolean, args: readonly (number | bigint)[]): Slot {
    const result = this.memory(Buffer.alloc(8));
    const call = SYSCALLS[name];
    this.#rows.push({ call, isFirstAddress, args: args.map(BigInt), resultAt: result.at });
    return result;
  }

  /** Opens a file, reads its beginning, and closes it again. */
  read(
    path: string,
    bytes: number,
  ): { readonly opened: Slot; readonly content: Slot; readonly length: Slot } {
    const atCwd = -100;
    const content = this.memory(Buffer.alloc(bytes));
    const opened = this.call("openat", atCwd, this.text(path).at, 0, 0);
    const length = this.#add("read", true, [opened.at, content.at, bytes]);
    this.#add("close", true, [opened.at]);
    return { opened, content, length };
  }

  /** Opens a socket and connects it. */
  connect(family: number, type: number, address: Buffer) {
    const opened = this.call("socket", family, type, 0);
    const to = this.memory(address);
    const connected = this.#add("connect", true, [opened.at, to.at, address.length]);
    this.#add("close", true, [opened.at]);
    return { opened, connected };
  }

  /**
   * Two pipes that the task prints into, as a shell would give it. Their other ends wait for
   * whoever holds the launcher's process number, until it is told to go on.
   */
  printIntoPipes(): OutputEnds {
    const ends = OUTPUT_PIPES.map(({ from, into, as }) => {
      const pair = this.memory(Buffer.alloc(8));
      const made = this.call("pipe2", pair.at, 0);
      const moved = this.call("dup3", into, as, 0);
      this.call("close", into);
      this.#untilWord.add(from);
      return { from, into, as, pair, made, moved };
    });
    return {
      stdout: OUTPUT_PIPES[0].from,
      stderr: OUTPUT_PIPES[1].from,
      areIn: (report) =>
        ends.every(
          ({ from, into, as, pair, made, moved }) =>
            report.readBigInt64LE(made.offset) === 0n &&
            report.readInt32LE(pair.offset) === from &&
            report.readInt32LE(pair.offset + 4) === into &&
            report.readBigInt64LE(moved.offset) === BigInt(as),
        ),
    };
  }

  /** The finished program, and how many bytes its report has. */
  finish(
    { argv, before, env }: Pick<Task, "argv" | "before" | "env">,
    { report, word: wait }: LauncherChannel,
  ): { program: Buffer; reportBytes: number } {
    for (const command of [before?.argv ?? argv, argv]) assertPlain(command, env);
    const gate = before && this.#openGate(before.gate);
    const reportBytes = this.#size;
    const word = this.memory(Buffer.alloc(1));
    const status = this.memory(Buffer.alloc(8));
    const path = this.text(FINDER);
    const args = this.#pointers([FINDER, "--", ...argv]);
    const first = before && this.#pointers([FINDER, "--", ...before.argv]);
    const variables = this.#pointers(
      Object.entries(env).map(([name, value]) => `${name}=${value}`),
    );
    this.call("write", report, DATA_AT, reportBytes);
    this.call("read", wait, word.at, 1);
    for (const fd of new Set([report, wait, ...this.#untilWord])) {
      if (fd > STDERR) this.call("close", fd);
    }
    const finish = {
      wordAt: word.at,
      path: path.at,
      argv: args.at,
      before: first && gate && { argv: first.at, gateAt: gate.at },
      env: variables.at,
      statusAt: status.at,
      failure: NOT_STARTED,
    };
    const program = buildProgram(this.#rows, Buffer.concat(this.#chunks), finish);
    return { program, reportBytes };
  }

  /**
   * Connected before there is a task, so that nobody else can be the one who asks. No program that
   * is started has it.
   */
  #openGate(path: string): Slot {
    const address = unixAddress(path);
    const opened = this.call("socket", AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    this.#add("connect", true, [opened.at, this.memory(address).at, address.length]);
    return opened;
  }

  #pointers(texts: readonly string[]): Slot {
    const slots = texts.map((text) => this.text(text));
    const bytes = Buffer.alloc(8 * (slots.length + 1));
    for (const [at, slot] of slots.entries()) bytes.writeBigUInt64LE(slot.at, 8 * at);
    return this.memory(bytes);
  }
}

/** The path of a socket as the kernel takes it. */
export function unixAddress(path: string): Buffer {
  const bytes = Buffer.from(path);
  assert(bytes.length < UNIX_PATH_BYTES_MAX, "the path of a socket is short");
  const address = Buffer.alloc(2 + bytes.length + 1);
  address.writeUInt16LE(AF_UNIX, 0);
  bytes.copy(address, 2);
  return address;
}

/** What the kernel would cut short, or the finder of programs would take for a setting. */
function assertPlain(argv: readonly string[], env: Readonly<Record<string, string>>): void {
  const [program = ""] = argv;
  if (program === "" || program.includes("=")) {
    const what = JSON.stringify(program.slice(0, 100));
    throw new SwornError("INPUT_INVALID", `expected a program to run, found ${what}`);
  }
  const hasZero = [...argv, ...Object.entries(env).flat()].some((text) => text.includes("\0"));
  const isOdd = Object.keys(env).some((name) => name === "" || name.includes("="));
  if (!hasZero && !isOdd) return;
  throw new SwornError(
    "INPUT_INVALID",
    "an argument or a variable holds a zero byte or an odd name",
  );
}
