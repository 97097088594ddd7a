import { setTimeout as wait } from "node:timers/promises";
import type { AgentOutcome } from "./run-agent.ts";

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** The longest that a service may have itself left alone for; who asks for more is not waited for. */
export const ASKED_MS_MAX = 300_000;
/** Whoever waited together must not come back together. */
const SPREAD = 0.5;

/** Whether a run got nowhere because its model was busy or away: that says nothing about its work. */
export function isPassing({ troubles: [trouble] }: Pick<AgentOutcome, "troubles">): boolean {
  return trouble?.why === "busy" || trouble?.why === "unavailable";
}

/** Whether it makes sense to try again while somebody waits: not where a service wants its peace for longer. */
export function isWorthWaiting(outcome: Pick<AgentOutcome, "troubles" | "leaveAloneMs">): boolean {
  return isPassing(outcome) && (outcome.leaveAloneMs ?? 0) <= ASKED_MS_MAX;
}

interface Host {
  troubles: number;
  notBeforeMs: number;
}

/**
 * Keeps a fan-out of runs from wearing down a model service that is busy, and a busy service from
 * ending a whole fan-out: what one run learned by being turned away, those that start after it know.
 */
export class ModelPace {
  readonly #hosts = new Map<string, Host>();
  readonly #now: () => number;
  readonly #firstMs: number;

  constructor(options: { readonly now?: () => number; readonly firstMs?: number } = {}) {
    this.#now = options.now ?? (() => performance.now());
    this.#firstMs = options.firstMs ?? FIRST_MS;
  }

  /** Waits until a service may be asked again; ends early when the signal says so. */
  async ready(host: string, signal: AbortSignal): Promise<void> {
    const left = this.waitMs(host);
    if (left > 0)
      await wait(left * (1 + Math.random() * SPREAD), undefined, { signal }).catch(() => {});
  }

  /** How long a service should be left alone from now on. */
  waitMs(host: string): number {
    return Math.max(0, (this.#hosts.get(host)?.notBeforeMs ?? 0) - this.#now());
  }

  /**
   * It turned a run away: each time in a row it is left alone for twice as long, and never for less
   * than it asks for itself.
   */
  turnedAway(host: string, askedMs = 0): void {
    const { troubles, notBeforeMs } = this.#hosts.get(host) ?? { troubles: 0, notBeforeMs: 0 };
    const now = this.#now();
    const asked = now + Math.min(ASKED_MS_MAX, askedMs);
    // Runs that were turned away together count once.
    const isNew = notBeforeMs <= now;
    const own = isNew ? now + Math.min(LONGEST_MS, this.#firstMs * 2 ** troubles) : notBeforeMs;
    const count = isNew ? troubles + 1 : troubles;
    this.#hosts.set(host, { troubles: count, notBeforeMs: Math.max(own, asked) });
  }

  /** It answered. */
  answered(host: string): void {
    this.#hosts.delete(host);
  }
}
