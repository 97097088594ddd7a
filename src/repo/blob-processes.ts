import { BlobProcess } from "./blob-process.ts";
import { BlobReader, type BlobReaderOptions } from "./blob-reader.ts";
import type { Git } from "./git.ts";
import type { ObjectFormat } from "./object-folder.ts";

const BLOB_BYTES_MAX = 16 * (1 << 20);
/** As many as are often in use at a time. */
const IDLE_MAX = 2;

/** The processes that contents are read through: whoever comes next takes one that has nothing to do. */
export class BlobProcesses {
  readonly #git: Git;
  readonly #format: ObjectFormat;
  readonly #idle: BlobProcess[] = [];
  #isClosed = false;

  constructor(git: Git, format: ObjectFormat) {
    this.#git = git;
    this.#format = format;
  }

  open({ bytesMax = BLOB_BYTES_MAX }: BlobReaderOptions): BlobReader {
    const process = this.#take() ?? new BlobProcess(this.#git, this.#format);
    process.begin(bytesMax);
    return new BlobReader(process, (used) => this.#layAside(used));
  }

  /** Ends those that wait. Readers that are still open end theirs when they are closed. */
  close(): void {
    this.#isClosed = true;
    for (const process of this.#idle.splice(0)) void process.end();
  }

  #take(): BlobProcess | undefined {
    const at = this.#idle.findIndex(({ isIdle }) => isIdle);
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0];
  }

  async #layAside(process: BlobProcess): Promise<void> {
    if (this.#isClosed || !process.isIdle) return process.end();
    process.hold(false);
    this.#idle.push(process);
    if (this.#idle.length > IDLE_MAX) await this.#idle.shift()?.end();
  }
}
