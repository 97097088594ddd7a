/** Lets a bounded number in at one time; the others wait in order. */
export class Turnstile {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /** Settles when there is room; the given function leaves. A signal that fires gives up the place. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isIn = !signal.aborted;
    if (!isIn) return () => undefined;
    return () => {
      if (isIn) this.#leave();
      isIn = false;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const turn = () => {
        signal.removeEventListener("abort", gone);
        // Whoever gave up meanwhile hands the place on.
        if (signal.aborted) this.#leave();
        resolve();
      };
      const gone = () => {
        this.#waiting.delete(turn);
        resolve();
      };
      this.#waiting.add(turn);
      signal.addEventListener("abort", gone, { once: true });
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
