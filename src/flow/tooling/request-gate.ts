import { setTimeout as wait } from "node:timers/promises";

/** How much may be asked at once and over time. */
export interface GateBounds {
  /** Requests that are being answered at the same time. */
  readonly inFlightMax: number;
  /** Requests that may come at once before they are slowed down. */
  readonly burst: number;
  /** Requests a second after that. */
  readonly perSecond: number;
}

/** The time and its passing; tests bring their own. */
export interface GateClock {
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const realClock: GateClock = {
  now: () => performance.now(),
  wait: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
};

/**
 * Lets requests through one after the other, as many as the bounds allow. Whoever sends more waits:
 * nothing is read from them meanwhile, so that a flood fills their own side and not ours.
 */
export class RequestGate {
  readonly #bounds: GateBounds;
  readonly #clock: GateClock;
  readonly #closing = new AbortController();
  #tokens: number;
  #countedAt: number;
  #inFlight = 0;
  #waiting: (() => void)[] = [];

  constructor(bounds: GateBounds, clock: GateClock = realClock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#tokens = bounds.burst;
    this.#countedAt = clock.now();
  }

  /** Waits for a place; false when the gate was closed meanwhile. Every true needs a {@link leave}. */
  async enter(): Promise<boolean> {
    while (!this.#closing.signal.aborted) {
      if (this.#inFlight >= this.#bounds.inFlightMax) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      const missingMs = this.#takeToken();
      if (missingMs === 0) {
        this.#inFlight += 1;
        return true;
      }
      await this.#clock.wait(missingMs, this.#closing.signal).catch(() => {
        // Closed while waiting: the loop ends.
      });
    }
    return false;
  }

  leave(): void {
    this.#inFlight -= 1;
    this.#waiting.shift()?.();
  }

  close(): void {
    this.#closing.abort();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Takes a token; where there is none, how long until there is one. */
  #takeToken(): number {
    const { burst, perSecond } = this.#bounds;
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) * perSecond) / 1_000);
    this.#countedAt = now;
    if (this.#tokens < 1) return Math.ceil(((1 - this.#tokens) * 1_000) / perSecond);
    this.#tokens -= 1;
    return 0;
  }
}
