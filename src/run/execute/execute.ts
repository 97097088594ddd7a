import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Control, Prepared, TaskEnd } from "../../sandbox/index.ts";
import type { Limits } from "../../schema/execution.ts";
import { type Observed, readTrace } from "../observe/index.ts";
import type { StepGate } from "./step-gate.ts";

/** What is kept of each stream; the hash is over all of it. */
const KEPT_BYTES_MAX = 1 << 20;
const TRACE_END_MS = 5_000;

/** What a task printed. */
export interface Printed {
  readonly bytes: number;
  readonly sha256: string;
  /** The beginning of it. */
  readonly kept: Buffer;
}

/** What a run came to. */
export type Executed =
  /** A control did not hold, so the task never began. */
  | { readonly kind: "not-begun"; readonly broken: readonly Control[] }
  | {
      readonly kind: "ran";
      readonly end: TaskEnd;
      /** How the command before it ended, where there was one that ended by itself. */
      readonly before?: TaskEnd | undefined;
      readonly stdout: Printed;
      readonly stderr: Printed;
      /** Every program that ran, where that was watched. */
      readonly observed?: Observed | undefined;
    };

export interface ExecuteOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Told as it comes. */
  readonly onOutput: (stream: "stdout" | "stderr", chunk: Buffer) => void;
  /** Told as each begins, where that is watched: a program in another process than the task's own. */
  readonly onChild?: (() => void) | undefined;
  /** For a task with a command before it: done between the two, which must not fail. */
  readonly between?: Between | undefined;
  /** How long a task that is called off may take to end by itself, before it is killed. */
  readonly graceMs?: number | undefined;
}

interface Between {
  readonly gate: StepGate;
  readonly change: () => Promise<void>;
}

/**
 * Lets a prepared task begin, if every control holds, and watches it to its end: nobody but the
 * runtime stops the clock or counts what it prints.
 */
export async function execute(prepared: Prepared, options: ExecuteOptions): Promise<Executed> {
  const { limits, signal, onOutput, onChild, between, graceMs } = options;
  // From the start: nothing inside goes on while nobody reads.
  const observing = observe(prepared, onChild);
  const broken = prepared.controls.filter(({ holds }) => !holds);
  if (broken.length > 0 || prepared.controls.length === 0) {
    prepared.stop("a control does not hold");
    await prepared.end;
    return { kind: "not-begun", broken };
  }
  let hasBegun = false;
  // What has not begun cannot end by itself: the first process of a sandbox hears no SIGTERM.
  const onAbort = () => prepared.stop("cancelled", hasBegun ? graceMs : 0);
  const [step, job] = (["step_seconds", "job_seconds"] as const).map((limit) =>
    setTimeout(() => prepared.stop(limit), limits[limit] * 1_000),
  );
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  let printed = 0;
  const take = (stream: "stdout" | "stderr") => (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > limits.stream_bytes) prepared.stop("stream_bytes");
    else onOutput(stream, chunk);
  };
  try {
    const streams = [
      reading(prepared.stdout, take("stdout")),
      reading(prepared.stderr, take("stderr")),
    ] as const;
    await between?.gate.connected();
    if (!signal.aborted) {
      hasBegun = true;
      prepared.begin();
    }
    const before = between && goOn(prepared, between, () => step?.refresh());
    const [end, stdout, stderr] = await Promise.all([prepared.end, ...streams]);
    return { kind: "ran", end, stdout, stderr, before: await before, observed: await observing };
  } catch (error) {
    // Nobody listens to it any more; whoever waits for its end would wait for ever.
    prepared.stop("it could not be watched");
    throw error;
  } finally {
    clearTimeout(step);
    clearTimeout(job);
    between?.gate.close();
    signal.removeEventListener("abort", onAbort);
  }
}

/** What is not there soon after the end does not come any more, and is missing. */
async function observe(
  { trace, end }: Prepared,
  onChild: (() => void) | undefined,
): Promise<Observed | undefined> {
  if (trace === undefined) return undefined;
  const reading = readTrace(trace, onChild);
  let timer: NodeJS.Timeout | undefined;
  const late = end.then(() => {
    timer = setTimeout(() => trace.lines.destroy(), TRACE_END_MS);
  });
  // Also when all was read before the end came: nobody waits for a timer that is not needed.
  void Promise.allSettled([reading, late]).then(() => clearTimeout(timer));
  return reading;
}

/** Lets the task's own command begin when the one before it has done its work, and not otherwise. */
async function goOn(
  prepared: Prepared,
  { gate, change }: Between,
  onGone: () => void,
): Promise<TaskEnd | undefined> {
  const ended = prepared.end.then(() => undefined);
  const before = await Promise.race([gate.asked.catch(() => undefined), ended]);
  if (before === undefined) return undefined;
  if (before.code !== 0) {
    gate.close();
    return before;
  }
  try {
    await change();
    onGone();
    await gate.go();
  } catch {
    // Without leave it would end as the first command did, which was well.
    prepared.stop("what surrounds it could not be changed");
  }
  return before;
}

async function reading(stream: Readable, take: (chunk: Buffer) => void): Promise<Printed> {
  const hash = createHash("sha256");
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    if (bytes < KEPT_BYTES_MAX) kept.push(chunk.subarray(0, KEPT_BYTES_MAX - bytes));
    bytes += chunk.length;
    take(chunk);
  }
  return { bytes, sha256: hash.digest("hex"), kept: Buffer.concat(kept) };
}
