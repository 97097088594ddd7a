import { SwornError } from "../base/index.ts";
import type { BlobContent } from "./blob-answers.ts";
import type { BlobProcess } from "./blob-process.ts";

export interface BlobReaderOptions {
  /** Larger contents are told by their size alone. */
  readonly bytesMax?: number;
}

/** Reads any number of contents, in any order, through one git process that nobody else uses meanwhile. */
export class BlobReader {
  readonly #process: BlobProcess;
  readonly #giveBack: (process: BlobProcess) => Promise<void>;
  #isClosed = false;

  constructor(process: BlobProcess, giveBack: (process: BlobProcess) => Promise<void>) {
    this.#process = process;
    this.#giveBack = giveBack;
  }

  /**
   * The content of an object. A size that is known from a listing spares the transport of what is
   * too large.
   *
   * @throws SwornError `STORE_UNREADABLE` when git died or the reader was closed.
   */
  read(id: string, knownSize?: number | null): Promise<BlobContent> {
    if (!this.#isClosed) return this.#process.read(id, knownSize);
    return Promise.reject(new SwornError("STORE_UNREADABLE", "the reader was closed"));
  }

  /** Gives the process back; whatever still waits fails. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#giveBack(this.#process);
  }
}
