import { Transform, type TransformCallback } from "node:stream";
import { SwornError } from "../../base/index.ts";

const HEAD_MS_MAX = 30_000;

/**
 * A stream whose first bytes are the launcher's report; only what comes after them, which is the
 * task's, can be read from it. So nobody who reads it has to know that there was anything before.
 */
export class HeadedStream extends Transform {
  /**
   * The report.
   *
   * @throws SwornError `SANDBOX_FAILED` when the stream ended, or was silent, before it was whole.
   */
  readonly head: Promise<Buffer>;
  readonly #bytes: number;
  readonly #parts: Buffer[] = [];
  #missing: number;
  #resolve: (head: Buffer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(bytes: number) {
    super();
    this.#bytes = bytes;
    this.#missing = bytes;
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever waits for it hears of it; that nobody does yet is no failure of its own.
    this.head.catch(() => undefined);
    this.#timer = setTimeout(() => this.#fail("the sandbox was silent for too long"), HEAD_MS_MAX);
  }

  override _transform(part: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const own = part.subarray(0, this.#missing);
    const rest = part.subarray(own.length);
    if (own.length > 0) this.#take(own);
    if (rest.length > 0) done(null, rest);
    else done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#missing > 0) this.#fail("the sandbox ended before its task could begin");
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  #take(part: Buffer): void {
    this.#parts.push(part);
    this.#missing -= part.length;
    if (this.#missing > 0) return;
    clearTimeout(this.#timer);
    this.#resolve(Buffer.concat(this.#parts));
  }

  #fail(why: string): void {
    clearTimeout(this.#timer);
    const found = `${this.#bytes - this.#missing} of ${this.#bytes} bytes of its report came`;
    this.#reject(new SwornError("SANDBOX_FAILED", `${why}: ${found}`));
  }
}
