import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import type { Circuit, Contract } from "../../schema/contract.ts";
import type { Gap } from "../../schema/review.ts";

const Moment = z.int().min(0);

/** What a breaker remembers between two runs, in a form that can be written down. */
export const BreakerMemory = z.strictObject({
  /** Failures in a row. */
  failures: z.int().min(0),
  /** When it opened; null while it is closed. */
  opened_ms: Moment.nullable(),
  /** When a single try was let through; null when none is under way. */
  trial_ms: Moment.nullable(),
});
export type BreakerMemory = z.infer<typeof BreakerMemory>;

/** Whether a check may run. `open` means it did not run, which is a gap and never a pass. */
export type BreakerAnswer =
  | { readonly kind: "closed" }
  | { readonly kind: "half-open" }
  | { readonly kind: "open"; readonly failures: number; readonly retryMs: number };

const LAYER_0: Circuit = { failure_threshold: 3, recovery_seconds: 60 };
const LAYER_2: Circuit = { failure_threshold: 2, recovery_seconds: 120 };

/** The circuits of a contract, where it is silent those of the format. */
export function circuitsOf({ verification }: Contract): { layer0: Circuit; layer2: Circuit } {
  return {
    layer0: verification?.layer_0_circuit ?? LAYER_0,
    layer2: verification?.layer_2_circuit ?? LAYER_2,
  };
}

/**
 * Stops asking for something that keeps failing, for a while. After that while it lets one try
 * through, and that one decides. It has no clock: every call brings the time.
 */
export class CircuitBreaker {
  readonly #circuit: Circuit;
  #memory: BreakerMemory = { failures: 0, opened_ms: null, trial_ms: null };

  constructor(circuit: Circuit, memory?: BreakerMemory) {
    this.#circuit = circuit;
    if (memory !== undefined) this.#memory = memory;
  }

  /**
   * A breaker with the memory of an earlier one, as it was read from somewhere.
   *
   * @throws SwornError `INPUT_INVALID`: a memory that cannot be read must not close a breaker.
   */
  static restore(circuit: Circuit, memory: unknown): CircuitBreaker {
    const parsed = BreakerMemory.safeParse(memory);
    if (!parsed.success) {
      const message = `the memory of a circuit breaker cannot be read (${parsed.error.issues[0]?.message}); delete it to start closed`;
      throw new SwornError("INPUT_INVALID", message);
    }
    return new CircuitBreaker(circuit, parsed.data);
  }

  get memory(): BreakerMemory {
    return { ...this.#memory };
  }

  /** Asks before a check. `half-open` is said once: the asker must report how its try ended. */
  ask(nowMs: number): BreakerAnswer {
    const { failures, opened_ms: openedMs, trial_ms: trialMs } = this.#memory;
    if (openedMs === null) return { kind: "closed" };
    // A try that never reported, because its process died, holds the others up for one more while.
    const retryMs = (trialMs ?? openedMs) + this.#circuit.recovery_seconds * 1_000;
    if (nowMs < retryMs) return { kind: "open", failures, retryMs };
    this.#memory = { ...this.#memory, trial_ms: nowMs };
    return { kind: "half-open" };
  }

  succeeded(): void {
    const { opened_ms: openedMs, trial_ms: trialMs } = this.#memory;
    // Only the try that was let through may close it; an older check that ends late may not.
    if (openedMs !== null && trialMs === null) return;
    this.#memory = { failures: 0, opened_ms: null, trial_ms: null };
  }

  failed(nowMs: number): void {
    const { opened_ms: openedMs, trial_ms: trialMs } = this.#memory;
    const failures = this.#memory.failures + 1;
    const opens = openedMs === null && failures >= this.#circuit.failure_threshold;
    const opened_ms = opens || trialMs !== null ? nowMs : openedMs;
    this.#memory = { failures, opened_ms, trial_ms: null };
  }
}

/** A check that an open breaker left out, as the gap it is. */
export function openCircuitGap(what: string, answer: BreakerAnswer & { kind: "open" }): Gap {
  return { what, why: `not checked: it failed ${answer.failures} times in a row and waits` };
}
