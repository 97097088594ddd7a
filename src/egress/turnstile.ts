/** Lets a bounded number in at one time; the others wait in order. */
export class Turnstile {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(size: number) {
    this.#free = size;
  }

  /** Settles when there is room, with the function that leaves; undefined when the signal gave the place up. */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#wait(signal))) return undefined;
    let isIn = true;
    return () => {
      if (isIn) this.#leave();
      isIn = false;
    };
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const turn = () => {
        signal.removeEventListener("abort", gone);
        resolve(true);
      };
      const gone = () => {
        this.#waiting.delete(turn);
        resolve(false);
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
