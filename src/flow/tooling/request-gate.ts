import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { SwornError } from "../../base/index.ts";

/** A request counts once more for every so many bytes: what is said is kept, and disks are finite. */
const BYTES_PER_TOKEN = 16_384;

/** How much may be asked at once and over time. */
export interface GateBounds {
  /** Requests that are being answered at the same time. */
  readonly inFlightMax: number;
  /** Requests that may come at once before they are slowed down. */
  readonly burst: number;
  /** Requests a second after that. */
  readonly perSecond: number;
  /** All that may ever be sent, in bytes; undefined where somebody is trusted with the disk. */
  readonly bytesMax?: number;
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
  #bytes = 0;
  #countedAt: number;
  #inFlight = 0;
  #waiting: (() => void)[] = [];

  constructor(bounds: GateBounds, clock: GateClock = realClock) {
    // As many wait as there are connections, and Node.js would warn of the eleventh.
    setMaxListeners(0, this.#closing.signal);
    this.#bounds = bounds;
    this.#clock = clock;
    this.#tokens = bounds.burst;
    this.#countedAt = clock.now();
  }

  /**
   * Waits for a place; false when the gate was closed meanwhile. Every true needs a {@link leave}.
   *
   * @throws SwornError `LIMIT_EXCEEDED` when all is used up that may ever be sent.
   */
  async enter(bytes = 0): Promise<boolean> {
    this.#bytes += bytes;
    const { bytesMax = Number.POSITIVE_INFINITY, burst } = this.#bounds;
    if (this.#bytes > bytesMax) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `this run has said all that it may: ${bytesMax} bytes`,
      );
    }
    const cost = Math.min(burst, 1 + Math.floor(bytes / BYTES_PER_TOKEN));
    while (!this.#closing.signal.aborted) {
      if (this.#inFlight >= this.#bounds.inFlightMax) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      const missingMs = this.#takeTokens(cost);
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

  /** Takes tokens; where there are too few, how long until there are enough. */
  #takeTokens(cost: number): number {
    const { burst, perSecond } = this.#bounds;
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) * perSecond) / 1_000);
    this.#countedAt = now;
    if (this.#tokens < cost) return Math.ceil(((cost - this.#tokens) * 1_000) / perSecond);
    this.#tokens -= cost;
    return 0;
  }
}
