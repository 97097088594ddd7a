import type { Socket } from "node:net";
import type { Framing } from "./answer-head.ts";
import { ChunkDecoder } from "./chunk-decoder.ts";

/**
 * The body of an answer on its connection. It is read straight from the socket: a layer of streams
 * between the two sides of a download costs as much as its encryption.
 */
export class AnswerBody {
  readonly #socket: Socket;
  readonly #framing: Framing;
  readonly #onWhole: () => void;

  /** @param onWhole the body was read to its end, and the connection can go on */
  constructor(socket: Socket, framing: Framing, onWhole: () => void) {
    this.#socket = socket;
    this.#framing = framing;
    this.#onWhole = onWhole;
  }

  /** Reads to the end; false when the connection broke off or the body is not well formed. */
  async read(onPiece: (piece: Buffer) => void): Promise<boolean> {
    const isWhole = await this.#read(onPiece);
    if (isWhole && this.#framing.kind !== "close") this.#onWhole();
    else this.destroy();
    return isWhole;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(onPiece: (piece: Buffer) => void): Promise<boolean> {
    const framing = this.#framing;
    if (framing.kind === "none" || (framing.kind === "length" && framing.bytes === 0)) {
      return Promise.resolve(true);
    }
    const socket = this.#socket;
    return new Promise((resolve) => {
      const settle = (isWhole: boolean) => {
        socket.off("data", take).off("end", onEnd).off("close", onClose).pause();
        resolve(isWhole);
      };
      const take = takerOf(framing, onPiece, settle);
      const onEnd = () => settle(framing.kind === "close");
      const onClose = () => settle(false);
      socket.on("data", take).once("end", onEnd).once("close", onClose).resume();
    });
  }
}

function takerOf(
  framing: Framing,
  onPiece: (piece: Buffer) => void,
  settle: (isWhole: boolean) => void,
): (bytes: Buffer) => void {
  if (framing.kind === "length") {
    let left = framing.bytes;
    return (bytes) => {
      // More than announced is never passed on, and the connection that sent it is not trusted again.
      onPiece(bytes.length > left ? bytes.subarray(0, left) : bytes);
      left -= bytes.length;
      if (left <= 0) settle(left === 0);
    };
  }
  if (framing.kind === "chunked") {
    const decoder = new ChunkDecoder(onPiece);
    return (bytes) => {
      decoder.write(bytes);
      if (decoder.isOver || decoder.isBroken) settle(decoder.isOver);
    };
  }
  return onPiece;
}
