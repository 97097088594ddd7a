/** How much a run may move, in bytes. */
export interface EgressBudget {
  /** From upstream to the inside. */
  readonly bytesIn: number;
  /** From the inside to upstream, heads included: small for pulls, since only requests go out. */
  readonly bytesOut: number;
}

export const DEFAULT_BUDGET: EgressBudget = { bytesIn: 2 ** 31, bytesOut: 8 * 2 ** 20 };

/** Counts a run's bytes in both directions. What is spent stays spent, also over a detach. */
export class ByteBudget {
  #leftIn: number;
  #leftOut: number;

  constructor({ bytesIn, bytesOut }: EgressBudget) {
    this.#leftIn = bytesIn;
    this.#leftOut = bytesOut;
  }

  get leftIn(): number {
    return this.#leftIn;
  }

  /** False when that was too much; then nothing more is allowed in that direction. */
  takeIn(bytes: number): boolean {
    this.#leftIn = bytes > this.#leftIn ? 0 : this.#leftIn - bytes;
    return this.#leftIn > 0;
  }

  takeOut(bytes: number): boolean {
    this.#leftOut = bytes > this.#leftOut ? 0 : this.#leftOut - bytes;
    return this.#leftOut > 0;
  }
}
