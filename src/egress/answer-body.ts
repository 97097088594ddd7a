import type { Framing } from "./answer-head.ts";
import { ChunkDecoder } from "./chunk-decoder.ts";
import type { Connection } from "./dial.ts";
import type { TakeBytes } from "./upstream-reader.ts";

/** The body of an answer on its connection. */
export class AnswerBody {
  readonly #connection: Connection;
  readonly #framing: Framing;
  readonly #onWhole: () => void;

  /** @param onWhole the body was read to its end, and the connection can go on */
  constructor(connection: Connection, framing: Framing, onWhole: () => void) {
    this.#connection = connection;
    this.#framing = framing;
    this.#onWhole = onWhole;
  }

  /** Reads to the end; false when the connection broke off or the body is not well formed. */
  async read(take: TakeBytes): Promise<boolean> {
    const isWhole = await this.#read(take);
    if (isWhole && this.#framing.kind !== "close") this.#onWhole();
    else this.destroy();
    return isWhole;
  }

  pause(): void {
    this.#connection.socket.pause();
  }

  resume(): void {
    this.#connection.socket.resume();
  }

  destroy(): void {
    this.#connection.socket.destroy();
  }

  #read(take: TakeBytes): Promise<boolean> {
    const { socket, reader } = this.#connection;
    const framing = this.#framing;
    return new Promise((resolve) => {
      const settle = (isWhole: boolean) => {
        reader.rest();
        resolve(isWhole);
      };
      if (framing.kind === "none" || (framing.kind === "length" && framing.bytes === 0)) {
        return settle(true);
      }
      // A connection that ends cleanly is the end of an answer only where nothing else marks it.
      reader.read(takerOf(framing, take, settle), () =>
        settle(framing.kind === "close" && socket.readableEnded && socket.errored === null),
      );
    });
  }
}

function takerOf(framing: Framing, take: TakeBytes, settle: (isWhole: boolean) => void): TakeBytes {
  if (framing.kind === "length") {
    let left = framing.bytes;
    return (bytes, done) => {
      // More than announced is never passed on, and the connection that sent it is not trusted again.
      take(bytes.length > left ? bytes.subarray(0, left) : bytes, done);
      left -= bytes.length;
      if (left <= 0) settle(left === 0);
    };
  }
  if (framing.kind === "chunked") {
    // Copied: several pieces of one lent buffer would be given back one by one.
    const decoder = new ChunkDecoder((piece) => take(Buffer.from(piece), () => undefined));
    return (bytes, done) => {
      decoder.write(bytes);
      done();
      if (decoder.isOver || decoder.isBroken) settle(decoder.isOver);
    };
  }
  return take;
}
