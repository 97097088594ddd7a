import type { Readable, Writable } from "node:stream";
import { SwornError } from "../../base/index.ts";

const HEADER_BYTES = 8;
const STDOUT = 1;
const STDERR = 2;

/**
 * Takes the two streams of a container apart again: the engine sends them in frames of a header
 * (the stream's number, three zeros, four bytes of length) and that many bytes. Nothing is kept but
 * a piece of a header, so a frame's length, which is only a claim, costs no memory.
 */
export class FrameReader {
  readonly #write: (stream: "stdout" | "stderr", bytes: Buffer) => void;
  #header = Buffer.alloc(0);
  #stream: "stdout" | "stderr" = "stdout";
  #left = 0;

  constructor(write: (stream: "stdout" | "stderr", bytes: Buffer) => void) {
    this.#write = write;
  }

  /**
   * Reads on.
   *
   * @throws SwornError `SANDBOX_FAILED` when the bytes are no frames.
   */
  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      at += this.#left > 0 ? this.#readPayload(bytes, at) : this.#readHeader(bytes, at);
    }
  }

  /** Whether all that came were whole frames. */
  get isWhole(): boolean {
    return this.#left === 0 && this.#header.length === 0;
  }

  #readPayload(bytes: Buffer, at: number): number {
    const part = bytes.subarray(at, at + this.#left);
    this.#left -= part.length;
    this.#write(this.#stream, part);
    return part.length;
  }

  #readHeader(bytes: Buffer, at: number): number {
    const part = bytes.subarray(at, at + HEADER_BYTES - this.#header.length);
    this.#header = Buffer.concat([this.#header, part]);
    if (this.#header.length === HEADER_BYTES) {
      this.#stream = streamOf(this.#header);
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
    return part.length;
  }
}

function streamOf(header: Buffer): "stdout" | "stderr" {
  const number = header.readUInt8(0);
  const isPlain = header.readUIntBE(1, 3) === 0;
  if (isPlain && number === STDOUT) return "stdout";
  if (isPlain && number === STDERR) return "stderr";
  throw new SwornError(
    "SANDBOX_FAILED",
    `the engine sent ${header.toString("hex")} where the header of a frame was expected`,
  );
}

/** Two streams that are being filled from one connection. */
export interface SplitFrames {
  /**
   * Settles with the end of the connection.
   *
   * @throws SwornError `SANDBOX_FAILED` when it broke or carried something else.
   */
  readonly done: Promise<void>;
  /** Takes in what is left without waiting for readers: after a task's end that is little. */
  readonly drain: () => void;
}

/**
 * Leads the frames of a connection into two streams and ends them with it. A reader that is slow
 * makes the connection wait, and with it the task: nothing piles up here. The streams themselves
 * never fail, because an error that nobody listens for ends the process.
 */
export function splitFrames(
  from: Readable,
  to: { readonly stdout: Writable; readonly stderr: Writable },
): SplitFrames {
  let isDraining = false;
  const resume = (): void => {
    from.resume();
  };
  const reader = new FrameReader((stream, bytes) => {
    // A reader that went away wants no more; the rest is read and dropped, so that the end is seen.
    if (to[stream].destroyed || to[stream].write(bytes) || isDraining) return;
    from.pause();
  });
  for (const stream of [to.stdout, to.stderr]) stream.on("drain", resume).on("close", resume);
  const done = readFrames(from, reader).finally(() => {
    to.stdout.end();
    to.stderr.end();
  });
  const drain = (): void => {
    isDraining = true;
    from.resume();
  };
  return { done, drain };
}

function readFrames(from: Readable, reader: FrameReader): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = (cause?: unknown): void => {
      const message = "the engine ended a task's streams in the middle";
      reject(new SwornError("SANDBOX_FAILED", message, { cause }));
    };
    from.on("data", (bytes: Buffer) => {
      try {
        reader.push(bytes);
      } catch (error) {
        reject(error);
        from.destroy();
      }
    });
    from.once("error", cut);
    from.once("end", () => (reader.isWhole ? resolve() : cut()));
    from.once("close", () => cut());
  });
}
