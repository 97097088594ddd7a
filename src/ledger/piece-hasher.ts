import { Worker } from "node:worker_threads";
import { sha256Hex } from "../base/index.ts";
import { TreeHead } from "./tree.ts";

/** The tree over all lines that were taken. */
export interface HashedPieces {
  readonly size: number;
  readonly root: string;
}

/** Takes the lines of a ledger into a tree, piece by piece, while the caller does something else with them. */
export interface PieceHasher {
  /** The piece is gone then: it belongs to whoever hashes it. Waits only where too much is under way. */
  take(piece: Uint8Array<ArrayBuffer>): Promise<void> | undefined;
  end(): Promise<HashedPieces>;
  close(): Promise<void>;
}

/** What a thread is sent: bytes of lines, or nothing, which asks for the tree. */
export type HasherMessage = readonly Uint8Array<ArrayBuffer>[] | null;

const LINE_FEED = 10;

/** A message costs as much as hashing some lines, so that many pieces go in one. */
const MESSAGE_BYTES = 1 << 19;
/** Messages that may be under way: bounds the memory where the thread is the slower one. */
const UNDER_WAY_MAX = 32;

/** Hashes on the calling thread: best for small traces, which end before a thread has started. */
export function inlineHasher(): PieceHasher {
  const tree = new TreeHead();
  return {
    take: (piece) => {
      appendLines(tree, piece);
      return undefined;
    },
    end: async () => ({ size: tree.size, root: tree.root() }),
    close: async () => {},
  };
}

/** Takes the lines of a piece into a tree. */
export function appendLines(tree: TreeHead, piece: Uint8Array): void {
  let from = 0;
  for (let to = piece.indexOf(LINE_FEED); to >= 0; to = piece.indexOf(LINE_FEED, from)) {
    tree.append(sha256Hex(piece.subarray(from, to)));
    from = to + 1;
  }
  tree.append(sha256Hex(piece.subarray(from)));
}

/**
 * Hashes on a thread of its own. It is handed the very bytes that the caller reads: two readings of one
 * file could differ, and what was shown would not be what was checked.
 */
export function threadedHasher(): PieceHasher {
  return new ThreadedHasher();
}

class ThreadedHasher implements PieceHasher {
  readonly #worker = new Worker(new URL("./hasher-worker.js", import.meta.url));
  readonly #answer: Promise<HashedPieces>;
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #underWay = 0;
  #wake: (() => void) | undefined;

  constructor() {
    this.#answer = new Promise((resolve, reject) => {
      this.#worker.on("message", (message: HashedPieces | null) => {
        if (message !== null) resolve(message);
        this.#underWay -= 1;
        this.#wake?.();
      });
      this.#worker.on("error", reject);
      this.#worker.on("exit", () => reject(new Error("the hashing thread ended early")));
    });
    // Whoever waits hears of it; until somebody does, it must not end the process.
    this.#answer.catch(() => this.#wake?.());
  }

  take(piece: Uint8Array<ArrayBuffer>): Promise<void> | undefined {
    this.#waiting.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes < MESSAGE_BYTES) return undefined;
    this.#send();
    if (this.#underWay < UNDER_WAY_MAX) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #send(): void {
    const buffers = this.#waiting.map(({ buffer }) => buffer);
    this.#worker.postMessage(this.#waiting, buffers);
    this.#underWay += 1;
    [this.#waiting, this.#bytes] = [[], 0];
  }

  end(): Promise<HashedPieces> {
    if (this.#waiting.length > 0) this.#send();
    this.#worker.postMessage(null);
    return this.#answer;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
