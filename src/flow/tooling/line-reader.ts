import { SwornError } from "../../base/index.ts";

const NEWLINE = 10;

/**
 * Cuts a stream into lines of bounded length. What follows the last newline is never a line: half a
 * request must not be taken for a whole one.
 */
export class LineReader {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #held = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** How much of a line has come whose end has not. */
  get held(): number {
    return this.#held;
  }

  /**
   * The lines that a chunk completes, one at a time.
   *
   * @throws SwornError `LIMIT_EXCEEDED` as soon as a line is too long, before its end has come.
   */
  *take(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk.subarray(from, at));
      const line = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#held = 0;
      from = at + 1;
      yield line ?? Buffer.alloc(0);
    }
    this.#hold(chunk.subarray(from));
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > this.#bytesMax) {
      throw new SwornError("LIMIT_EXCEEDED", `expected lines of at most ${this.#bytesMax} bytes`);
    }
    if (part.length > 0) this.#parts.push(part);
  }
}
