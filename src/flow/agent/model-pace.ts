import { setTimeout as wait } from "node:timers/promises";

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** Whoever waited together must not come back together. */
const SPREAD = 0.5;

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

  /** It turned a run away: each time in a row it is left alone for twice as long. */
  turnedAway(host: string): void {
    const known = this.#hosts.get(host) ?? { troubles: 0, notBeforeMs: 0 };
    // Runs that were turned away together count once.
    if (known.notBeforeMs > this.#now()) return;
    const pauseMs = Math.min(LONGEST_MS, this.#firstMs * 2 ** known.troubles);
    this.#hosts.set(host, { troubles: known.troubles + 1, notBeforeMs: this.#now() + pauseMs });
  }

  /** It answered. */
  answered(host: string): void {
    this.#hosts.delete(host);
  }
}
