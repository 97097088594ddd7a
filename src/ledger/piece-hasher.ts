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
  /** Waits only where too much is under way. */
  take(piece: string): Promise<void> | undefined;
  end(): Promise<HashedPieces>;
  close(): Promise<void>;
}

/** What a thread is sent: bytes of lines, or nothing, which asks for the tree. */
export type HasherMessage = Uint8Array | null;

/** A message costs as much as hashing some lines, so that many pieces go in one. */
const MESSAGE_CHARS = 1 << 19;
/** Messages that may be under way: bounds the memory where the thread is the slower one. */
const UNDER_WAY_MAX = 32;

/** Hashes on the calling thread: best for small traces, which end before a thread has started. */
export function inlineHasher(): PieceHasher {
  const tree = new TreeHead();
  return {
    take: (piece) => {
      for (const line of piece.split("\n")) tree.append(sha256Hex(line));
      return undefined;
    },
    end: async () => ({ size: tree.size, root: tree.root() }),
    close: async () => {},
  };
}

/**
 * Hashes on a thread of its own. It is handed the very text that the caller reads: two readings of one
 * file could differ, and what was shown would not be what was checked.
 */
export function threadedHasher(): PieceHasher {
  return new ThreadedHasher();
}

class ThreadedHasher implements PieceHasher {
  readonly #worker = new Worker(new URL("./hasher-worker.js", import.meta.url));
  readonly #answer: Promise<HashedPieces>;
  #waiting: string[] = [];
  #chars = 0;
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

  take(piece: string): Promise<void> | undefined {
    this.#waiting.push(piece);
    this.#chars += piece.length;
    if (this.#chars < MESSAGE_CHARS) return undefined;
    this.#send();
    if (this.#underWay < UNDER_WAY_MAX) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #send(): void {
    const text = this.#waiting.join("\n");
    const bytes = Buffer.from(new ArrayBuffer(Buffer.byteLength(text)));
    bytes.write(text);
    this.#worker.postMessage(bytes, [bytes.buffer]);
    this.#underWay += 1;
    [this.#waiting, this.#chars] = [[], 0];
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
