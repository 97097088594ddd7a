import type { Duplex } from "node:stream";
import { type Refusal, refuse } from "./refusal.ts";

const HEAD_END = "\r\n\r\n";

/**
 * Takes whole request heads, and announced bodies, from a connection. It holds at most one head;
 * what comes behind waits in the stream, whose own bound holds the sender back.
 */
export class HeadReader {
  readonly #stream: Duplex;
  readonly #bytesMax: number;
  #held: Buffer = Buffer.alloc(0);
  #isOver = false;
  #wake: () => void = () => undefined;
  readonly #onReadable = () => this.#wake();
  readonly #onOver = () => {
    this.#isOver = true;
    this.#wake();
  };

  constructor(stream: Duplex, bytesMax: number) {
    this.#stream = stream;
    this.#bytesMax = bytesMax;
    stream.on("readable", this.#onReadable);
    stream.on("end", this.#onOver);
    stream.on("close", this.#onOver);
  }

  /** The next head without its empty line; undefined when the other side is done. */
  async nextHead(): Promise<Buffer | Refusal | undefined> {
    let from = 0;
    for (;;) {
      const end = this.#held.indexOf(HEAD_END, from, "latin1");
      if (end >= 0 && end <= this.#bytesMax) return this.#take(end, end + HEAD_END.length);
      if (end >= 0 || this.#held.length > this.#bytesMax) {
        return refuse("head-size", `the request's head has more than ${this.#bytesMax} bytes`);
      }
      // The end may lie across two pieces; what was searched before is not searched again.
      from = Math.max(0, this.#held.length - HEAD_END.length + 1);
      if (!(await this.#more())) {
        return this.#held.length === 0
          ? undefined
          : refuse("malformed", "the connection ended within a request's head");
      }
    }
  }

  /** The first bytes of what comes next, left in place; fewer when the other side is done. */
  async peek(count: number): Promise<Buffer> {
    while (this.#held.length < count && (await this.#more())) {
      // Each round adds what came.
    }
    return this.#held.subarray(0, count);
  }

  /** An announced body, piece by piece; ends early when the other side goes away. */
  async *body(bytes: number, onProgress: () => void): AsyncGenerator<Buffer> {
    let left = bytes;
    while (left > 0) {
      if (this.#held.length === 0 && !(await this.#more())) return;
      const size = Math.min(left, this.#held.length);
      left -= size;
      onProgress();
      yield this.#take(size, size);
    }
  }

  /** Lets go of the stream and puts back what was not taken, for whoever reads it next. */
  release(): void {
    this.#stream.off("readable", this.#onReadable);
    this.#stream.off("end", this.#onOver);
    this.#stream.off("close", this.#onOver);
    if (this.#held.length > 0) this.#stream.unshift(this.#held);
    this.#held = Buffer.alloc(0);
  }

  #take(size: number, cut: number): Buffer {
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(cut);
    return taken;
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const chunk: Buffer | null = this.#stream.read();
      if (chunk !== null) {
        this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
        return true;
      }
      if (this.#isOver || this.#stream.destroyed || this.#stream.readableEnded) return false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
