#!/usr/bin/env node
import { homedir } from "node:os";
import { isatty as isTerminal } from "node:tty";
import { setFlagsFromString } from "node:v8";
import { columnsOf } from "./io.ts";
import { main } from "./main.ts";

const INTERRUPTED = 130;
/** Longer than an agent has to write down what it has, and then its work to be saved. */
const ORDERLY_END_MS = 60_000;

/** Whoever waits longer than this is told why. */
const SILENT_END_MS = 1_000;
const ENDING = "sworn: ending in order; what was done is being kept. Ctrl-C again ends at once.\n";

// Node 20 compiles a function a second time, on other threads, after so few calls that a command ends
// before it has the time back. What really is called often still is, a moment later.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=1000000");

/** Of what is written to, so that it is known when one is closed. */
const TERMINALS = [1, 2].filter((fd) => isTerminal(fd));

const controller = new AbortController();
function endInOrder(): void {
  controller.abort();
  process.stdin.destroy();
  setTimeout(() => process.stderr.write(ENDING), SILENT_END_MS).unref();
  setTimeout(() => process.exit(INTERRUPTED), ORDERLY_END_MS).unref();
}
// The first Ctrl-C lets the command end in order, within bounds; the second ends it at once.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    endInOrder();
    process.once(signal, () => process.exit(INTERRUPTED));
  });
}
// A terminal that is closed says so more than once, and by that asks for nothing more. Whether it was to be
// ignored (nohup) cannot be known: Node forgets that before we begin.
process.once("SIGHUP", () => {
  endInOrder();
  process.on("SIGHUP", () => {});
});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // To nobody in front of a terminal nothing can be told; what is being done or kept is not ended by that.
  if (controller.signal.aborted || process.stdout.isTTY) return;
  // A reader that goes away early (| head) is not an error.
  process.exit(error.code === "EPIPE" ? 0 : 1);
});
// Who reads what is said beside the answer may be gone, too, and the answer is no other for that.
process.stderr.on("error", () => {});

/** Where it was started; nothing can be looked for from a folder that is gone. */
function ownFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const what = code === "ENOENT" ? "was deleted" : `cannot be entered (${code})`;
    const next = "change into one that is there and say it again";
    process.stderr.write(`sworn: the folder that this was started in ${what}; ${next}\n`);
    process.exit(1);
  }
}

// Fail closed: a command that ends without an answer did not succeed. It is not awaited up here, because
// joined files are CommonJS, which has no await at the top.
process.exitCode = 1;
void main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  input: () => process.stdin,
  stdin: isTerminal(0) ? undefined : 0,
  env: process.env,
  cwd: ownFolder(),
  home: homedir(),
  isTerminal: process.stderr.isTTY === true,
  columns: columnsOf(process.stdout),
  signal: controller.signal,
}).then((code) => {
  process.exitCode = code;
  if (TERMINALS.every((fd) => isTerminal(fd))) return;
  // Node 20 aborts, with all that this writes, where it cannot put a terminal back that is gone. Ended by a
  // signal it does not try.
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
});
