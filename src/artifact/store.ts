import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import {
  assert,
  ensureFolder,
  messageOf,
  openPlainFile,
  removeQuietly,
  SwornError,
  syncFolder,
  writeAll,
} from "../base/index.ts";
import { ARTIFACT_BYTES_MAX } from "../schema/index.ts";

const CHUNK_BYTES = 1 << 20;

/** What is known about stored bytes. */
export interface StoredArtifact {
  readonly hash: string;
  readonly bytes: number;
}

/** Bytes by their SHA-256, each in a file of its own: written once, never changed, shared by traces. */
export class ArtifactStore {
  readonly #folder: string;
  /** Whether the folder of the files has a name on disk, because we waited for that. */
  #isDurable = false;
  /** Files that have their names, and are waited for together. */
  #unsynced: number | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Stores bytes. On return they are on disk under their hash, so an entry may cite them.
   *
   * @throws SwornError `ARTIFACT_WRITE_FAILED` or `LIMIT_EXCEEDED`; nothing half-written is left under a hash.
   */
  put(bytes: Uint8Array): StoredArtifact {
    return this.#store([bytes]);
  }

  /** Stores the content of a file that is already open, in bounded memory. */
  putOpenFile(fd: number): StoredArtifact {
    return this.#store(chunksOf(fd));
  }

  /** Stores bytes that come piece by piece. */
  putChunks(chunks: Iterable<Uint8Array>): StoredArtifact {
    return this.#store(chunks);
  }

  /** Stores several: on return all of them are on disk, and their names were waited for once. */
  together<T>(store: () => T): T {
    assert(this.#unsynced === undefined, "artifacts are stored together already");
    this.#unsynced = 0;
    try {
      const stored = store();
      if (this.#unsynced > 0) orRefused(() => syncFolder(this.#files));
      return stored;
    } finally {
      this.#unsynced = undefined;
    }
  }

  has(hash: string): boolean {
    return existsSync(this.pathOf(hash));
  }

  /** Size in bytes, or undefined when it is not there. */
  size(hash: string): number | undefined {
    return statSync(this.pathOf(hash), { throwIfNoEntry: false })?.size;
  }

  /** The stored bytes piece by piece, as they are: whoever reads them checks the hash. */
  *read(hash: string): Generator<Buffer> {
    const fd = openPlainFile(this.pathOf(hash), "refuse");
    try {
      yield* chunksOf(fd);
    } finally {
      closeSync(fd);
    }
  }

  pathOf(hash: string): string {
    return join(this.#files, hash);
  }

  get #files(): string {
    return join(this.#folder, "sha256");
  }

  #store(chunks: Iterable<Uint8Array>): StoredArtifact {
    const incoming = join(this.#folder, "incoming");
    const temporary = join(incoming, randomBytes(8).toString("hex"));
    try {
      return orRefused(() => {
        ensureFolder(incoming);
        const stored = writeHashed(temporary, chunks);
        this.#publish(temporary, stored.hash);
        return stored;
      });
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
  }

  /** The rename also replaces a damaged file of the same name by the bytes that belong there. */
  #publish(temporary: string, hash: string): void {
    const path = this.pathOf(hash);
    // One that is there may be another process's, and its name not on disk yet.
    if (ensureFolder(this.#files) === undefined && !this.#isDurable) syncFolder(this.#folder);
    this.#isDurable = true;
    renameSync(temporary, path);
    if (this.#unsynced === undefined) syncFolder(this.#files);
    else this.#unsynced += 1;
  }

  /** Removes what a killed writer left behind; only call it when no writer is at work. */
  sweep(): number {
    const incoming = join(this.#folder, "incoming");
    if (!existsSync(incoming)) return 0;
    const names = readdirSync(incoming);
    for (const name of names) rmSync(join(incoming, name), { force: true });
    return names.length;
  }
}

function orRefused<T>(store: () => T): T {
  try {
    return store();
  } catch (cause) {
    const isOfFolder = cause instanceof SwornError && cause.code === "STORE_READ_ONLY";
    if (cause instanceof SwornError && !isOfFolder) throw cause;
    throw new SwornError(
      "ARTIFACT_WRITE_FAILED",
      `an artifact could not be stored: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function writeHashed(path: string, chunks: Iterable<Uint8Array>): StoredArtifact {
  const hash = createHash("sha256");
  let bytes = 0;
  const fd = openSync(path, "wx", 0o644);
  try {
    for (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > ARTIFACT_BYTES_MAX) {
        throw new SwornError(
          "LIMIT_EXCEEDED",
          `an artifact is larger than ${ARTIFACT_BYTES_MAX} bytes`,
        );
      }
      hash.update(chunk);
      writeAll(fd, chunk);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return { hash: hash.digest("hex"), bytes };
}

function* chunksOf(fd: number): Generator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const length = readSync(fd, chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}
