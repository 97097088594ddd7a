import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf } from "../../base/index.ts";
import { expiredException } from "./exception-attempt.ts";
import { Ground, inTemporaryFolder } from "./ground.ts";
import { type Attempt, fails, type Guarantee } from "./guarantee.ts";
import { killedRuntime } from "./killed-attempt.ts";
import { lieAboutTests } from "./lie-attempt.ts";
import { blockedPost } from "./post-attempt.ts";
import type { Product } from "./product.ts";
import { cutTail, flippedByte, forgedApproval } from "./record-attempts.ts";
import { forkBomb, leakedToken } from "./sealed-attempts.ts";
import { phantomCitation, weakenedTest } from "./source-attempts.ts";
import { selfVote } from "./vote-attempt.ts";

/** Every guarantee, in the order in which they are told. */
export const ATTEMPTS: readonly Attempt[] = [
  flippedByte,
  cutTail,
  forgedApproval,
  phantomCitation,
  lieAboutTests,
  weakenedTest,
  blockedPost,
  forkBomb,
  leakedToken,
  selfVote,
  expiredException,
  killedRuntime,
];

/** Two cores are everywhere, and most attempts wait for a process half of their time. */
const AT_A_TIME = 3;
/** All of them together take less than a minute; what has not answered by then does not hold here. */
const ALL_MS_MAX = 55_000;
/** How long an attempt may take to end and clean up when it is called off. */
const GRACE_MS = 3_000;

export interface ProveOptions {
  /** Where programs are looked for; nothing else of the user's environment is used. */
  readonly path: string | undefined;
  readonly signal: AbortSignal;
  readonly onDone?: (done: number, of: number) => void;
  /** Hears of each as soon as it and all before it have ended: in the order in which they are told. */
  readonly onTold?: (guarantee: Guarantee) => void;
  readonly attempts?: readonly Attempt[];
  readonly milliseconds?: number;
  readonly graceMs?: number;
}

/**
 * Tries to break each guarantee on this machine, each attempt in a temporary folder with keys of its
 * own, and says what answered. Nothing of the user's project or state is read or written.
 *
 * @throws the signal's reason when it is called off; the folders are gone then, too.
 */
export async function proveGuarantees(
  product: Product,
  options: ProveOptions,
): Promise<Guarantee[]> {
  const { signal, milliseconds = ALL_MS_MAX } = options;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("it took too long")), milliseconds);
  try {
    const bounded = AbortSignal.any([signal, late.signal]);
    const found = await inTemporaryFolder((folder) => tryAll(product, options, folder, bounded));
    signal.throwIfAborted();
    return found;
  } finally {
    clearTimeout(timer);
  }
}

async function tryAll(
  product: Product,
  { path, signal, onDone, onTold, attempts = ATTEMPTS, graceMs = GRACE_MS }: ProveOptions,
  folder: string,
  bounded: AbortSignal,
): Promise<Guarantee[]> {
  const found: Guarantee[] = [];
  const waiting = [...attempts.entries()];
  let done = 0;
  let told = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, attempt] = next;
      // A signal of its own for each: one for all would have too many listeners.
      const ground = new Ground(join(folder, String(at)), path, AbortSignal.any([bounded]));
      const ended = await tryIt(attempt, product, ground, graceMs);
      // Whatever an attempt says once it was called off may be the interruption's doing.
      found[at] = signal.aborted ? stopped(attempt) : ended;
      done += 1;
      onDone?.(done, attempts.length);
      for (let one = found[told]; one !== undefined; one = found[told]) {
        told += 1;
        onTold?.(one);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return found;
}

function stopped({ name, tried }: Attempt): Guarantee {
  return { name, tried, ...fails("stopped before it ended"), isStopped: true };
}

async function tryIt(
  { name, tried, make }: Attempt,
  product: Product,
  ground: Ground,
  graceMs: number,
): Promise<Guarantee> {
  try {
    ground.signal.throwIfAborted();
    const { answered, holds } = await orGivenUp(make(product, ground), ground.signal, graceMs);
    return { name, tried, answered: oneLine(answered), holds };
  } catch (error) {
    // Fail closed: whatever went wrong, the guarantee was not shown to hold here.
    const why = ground.signal.aborted ? "it did not answer in time" : messageOf(error);
    return { name, tried, ...fails(oneLine(why)) };
  }
}

/** What comes of it, unless it has still not ended a while after it was called off. */
async function orGivenUp<T>(made: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const over = new AbortController();
  const givenUp = async (): Promise<never> => {
    if (!signal.aborted) await once(signal, "abort", { signal: over.signal });
    await wait(graceMs, undefined, { signal: over.signal });
    throw new Error("it did not end when it was called off");
  };
  return Promise.race([made, givenUp()]).finally(() => over.abort());
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
