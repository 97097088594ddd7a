import { type FSWatcher, watch } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { BusMessage } from "../../view/index.ts";
import { Bus } from "./bus.ts";
import { type Reading, selectMessages } from "./read-bus.ts";
import type { Where } from "./talk-trace.ts";

/** A look without being woken: where the file system tells nothing, this is how late news come. */
const POLL_MS = 250;
/** A log file changes before its commit can be seen, so one more look is needed soon after. */
const LOOKS_MS = [1, 1, 2, 4, 8, 16, 32] as const;

/** How a bus is followed. */
export interface Following {
  /** What is given first of that which was said before; nothing unless this says so. */
  readonly from?: Reading;
  /** How often it is looked for news that nothing told of. */
  readonly pollMs?: number;
}

/**
 * Waits until somebody has spoken, with a look now and then; undefined when the signal came first.
 * Nothing is begun by waiting.
 */
export async function awaitBus(
  where: Where,
  signal: AbortSignal,
  pollMs = POLL_MS,
): Promise<Bus | undefined> {
  while (!signal.aborted) {
    const on = Bus.find(where);
    if (on !== undefined) return on;
    await wait(pollMs, undefined, { signal }).catch(() => {
      // Called off while waiting: the loop ends.
    });
  }
  return undefined;
}

/**
 * Messages as they are recorded, by whichever process, each once and without a gap. It ends when the
 * signal says so.
 *
 * The write-ahead log is watched, so that a message is seen when it is written; a slow look goes on
 * beside it for file systems that tell nobody.
 */
export async function* followBus(
  on: Bus,
  signal: AbortSignal,
  { from = { last: 0 }, pollMs = POLL_MS }: Following = {},
): AsyncGenerator<readonly BusMessage[]> {
  const bell = new Bell(on.place.traceFolder(on.trace), signal, pollMs);
  try {
    const { messages } = on.talk();
    // Counted here: others look at the same bus, and what they see first must not be passed over.
    let seen = messages.length;
    const first = selectMessages(messages, from);
    if (first.length > 0) yield first;
    while (!signal.aborted) {
      const fresh = on.talk().messages.slice(seen);
      seen += fresh.length;
      const wanted = selectMessages(fresh, { kinds: from.kinds });
      if (wanted.length > 0) {
        bell.answered();
        yield wanted;
      } else await bell.rings();
    }
  } finally {
    bell.close();
  }
}

/** Wakes its one listener when a folder changes, when it is time for a look, and at the end. */
class Bell {
  readonly #watcher: FSWatcher | undefined;
  readonly #signal: AbortSignal;
  readonly #pollMs: number;
  #isRung = false;
  /** How many looks were made since it rang. */
  #looks: number = LOOKS_MS.length;
  #wake: (() => void) | undefined;
  readonly #ring = (): void => {
    this.#isRung = true;
    this.#wake?.();
  };

  constructor(folder: string, signal: AbortSignal, pollMs: number) {
    this.#signal = signal;
    this.#pollMs = pollMs;
    signal.addEventListener("abort", this.#ring);
    this.#watcher = watched(folder, this.#ring);
  }

  /** The news were there: the looks that remain are for nothing. */
  answered(): void {
    this.#looks = LOOKS_MS.length;
  }

  async rings(): Promise<void> {
    if (!this.#isRung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOKS_MS[this.#looks] ?? this.#pollMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#looks = this.#isRung ? 0 : this.#looks + 1;
    this.#isRung = false;
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#ring);
    this.#watcher?.close();
  }
}

function watched(folder: string, ring: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, ring);
    // A folder that can no longer be watched is still looked at.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
