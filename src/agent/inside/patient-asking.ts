import { setTimeout as wait } from "node:timers/promises";
import { ModelTrouble } from "./ask-model.ts";

/** How often it is asked again, and how long a service may make us wait for it. */
const RETRIES_MAX = 3;
const RETRY_AFTER_MAX_MS = 300_000;

export interface Patience {
  /** Before the second try; each later one waits twice as long. */
  readonly firstWaitMs: number;
  /** Told of each failure, also of those after which it goes on. */
  readonly onTrouble: (trouble: ModelTrouble, waitMs: number | undefined) => void;
}

/**
 * Tries again while a service is busy or away: as it asks for, or after 1, 2 and 4 seconds, each a
 * little off, so that many agents that failed together do not come back together. A credential or a
 * used-up account does not get better by asking.
 */
export async function askPatiently<T>(ask: () => Promise<T>, patience: Patience): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const trouble = error instanceof ModelTrouble ? error : unforeseen(error);
      const waitMs =
        tries < RETRIES_MAX ? waitFor(trouble, tries, patience.firstWaitMs) : undefined;
      patience.onTrouble(trouble, waitMs);
      if (waitMs === undefined) throw trouble;
      await wait(waitMs);
    }
  }
}

/** How long to wait before the next try; undefined when there is no point in one. */
export function waitFor(
  { isPassing, retryAfter }: Pick<ModelTrouble, "isPassing" | "retryAfter">,
  tries: number,
  firstWaitMs: number,
  { now, random }: { now: number; random: number } = { now: Date.now(), random: Math.random() },
): number | undefined {
  if (!isPassing) return undefined;
  const asked = retryAfter === undefined ? undefined : askedMs(retryAfter, now);
  if (asked !== undefined && asked > RETRY_AFTER_MAX_MS) return undefined;
  // Never sooner than asked for; without a wish, up to a quarter off either way.
  if (asked !== undefined) return asked + random * (firstWaitMs / 4);
  return firstWaitMs * 2 ** tries * (0.75 + random / 2);
}

/** Seconds or a date, as HTTP has it; anything else is no wish. */
function askedMs(value: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function unforeseen(error: unknown): ModelTrouble {
  return new ModelTrouble("other", error instanceof Error ? error.message : String(error));
}
