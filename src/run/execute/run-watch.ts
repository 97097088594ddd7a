import type { Usage } from "../../sandbox/index.ts";

const PROCESSES_MAX = 100_000;
/**
 * The part of the time that something has to compute to count as alive. Agents with a server inside
 * tick along at a fiftieth while they wait for a model that will never answer.
 */
const BUSY_SHARE = 1 / 20;
/** Over so long at least, because a single tick is a large part of a moment. */
const WINDOW_MS = 10_000;

/** How long something may be silent, in milliseconds. */
export interface Patience {
  readonly idleMs: number;
  readonly stuckMs: number;
}

/** A process that was seen in a sandbox. */
export interface WatchedProcess {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly firstMs: number;
  lastMs: number;
}

/**
 * Looks at a sandbox from outside, again and again: what runs in it, what it uses, and whether it
 * still does anything. Output, new processes and processor time that is more than a tick all count as life; an
 * agent that thinks is silent.
 */
export class RunWatch {
  readonly #usage: () => Usage | undefined;
  readonly #patience: Patience;
  readonly #processes = new Map<string, WatchedProcess>();
  #activeMs: number;
  /** Its processor time when it last gave a sign of life. */
  #activeCpuMs = 0;
  #cpuMs = 0;
  #peakBytes: number | undefined;

  constructor(usage: () => Usage | undefined, patience: Patience, nowMs: number) {
    this.#usage = usage;
    this.#patience = patience;
    this.#activeMs = nowMs;
  }

  get cpuMs(): number {
    return this.#cpuMs;
  }

  get peakBytes(): number | undefined {
    return this.#peakBytes;
  }

  /** Everything that was there at one of the looks. What came and went between two was not seen. */
  get processes(): readonly WatchedProcess[] {
    return [...this.#processes.values()];
  }

  /** Something was printed. */
  touch(nowMs: number): void {
    this.#activeMs = nowMs;
    this.#activeCpuMs = this.#cpuMs;
  }

  /** Looks once; says whether it has been silent for too long. */
  look(nowMs: number): "active" | "idle" | "stuck" {
    const usage = this.#usage();
    if (usage !== undefined) this.#take(usage, nowMs);
    const silentMs = nowMs - this.#activeMs;
    if (silentMs >= this.#patience.stuckMs) return "stuck";
    return silentMs >= this.#patience.idleMs ? "idle" : "active";
  }

  #take({ cpuMs, peakBytes, processes }: Usage, nowMs: number): void {
    // What ended unburied takes its time with it, so that the sum can fall.
    this.#cpuMs = Math.max(this.#cpuMs, cpuMs);
    const spanMs = Math.max(nowMs - this.#activeMs, Math.min(WINDOW_MS, this.#patience.idleMs));
    if (this.#cpuMs - this.#activeCpuMs >= spanMs * BUSY_SHARE) this.touch(nowMs);
    if (peakBytes !== undefined) this.#peakBytes = Math.max(peakBytes, this.#peakBytes ?? 0);
    for (const { pid, argv } of processes) {
      // The same number with another command is what it became, or another one.
      const key = `${pid} ${argv.join("\0")}`;
      const known = this.#processes.get(key);
      if (known !== undefined) known.lastMs = nowMs;
      else if (argv.length > 0 && this.#processes.size < PROCESSES_MAX) {
        this.#processes.set(key, { pid, argv, firstMs: nowMs, lastMs: nowMs });
        this.touch(nowMs);
      }
    }
  }
}
