import { setTimeout as wait } from "node:timers/promises";

/**
 * Lets expensive work be done by one at a time, and rests after each for as long as it took: whoever
 * asks for it without end gets half of what this process can do, and never all of it.
 */
export class InTurn {
  readonly #rest: (ms: number) => Promise<unknown>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    rest: (ms: number) => Promise<unknown> = (ms) => wait(ms, undefined, { ref: false }),
  ) {
    this.#rest = rest;
  }

  /** Does it after what was asked for before, and gives what comes of it at once. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      const begunMs = performance.now();
      const done = work();
      // Whether it went well is for whoever asked; the next one only waits for its end.
      await done.catch(() => {});
      return { done, tookMs: performance.now() - begunMs };
    });
    this.#last = turn.then(({ tookMs }) => this.#rest(tookMs));
    return turn.then(({ done }) => done);
  }
}
