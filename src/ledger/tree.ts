import { sha256Hex, sha256Latin1 } from "../base/index.ts";

/**
 * The Merkle tree of RFC 6962 over entry hashes. A leaf is the 32 raw bytes of an entry's hash.
 * Hashes go in and out as hex; a growing tree keeps them as 32 latin1 characters, because decoding
 * hex for every node costs more than hashing it.
 */

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256Hex("");

// Scratch space: hashing is synchronous, so nobody else sees these buffers half-filled.
const leafBytes = Buffer.alloc(33, 0);
const nodeBytes = Buffer.alloc(65, 1);

/** A leaf starts with 0 and a node with 1, so that neither can be passed off as the other. */
export function leafHash(entryHash: string): string {
  return toHex(rawLeafHash(entryHash));
}

export function nodeHash(left: string, right: string): string {
  nodeBytes.write(left, 1, "hex");
  nodeBytes.write(right, 33, "hex");
  return sha256Hex(nodeBytes);
}

function rawLeafHash(entryHash: string): string {
  leafBytes.write(entryHash, 1, "hex");
  return sha256Latin1(leafBytes);
}

function rawNodeHash(left: string, right: string): string {
  nodeBytes.write(left, 1, "latin1");
  nodeBytes.write(right, 33, "latin1");
  return sha256Latin1(nodeBytes);
}

function toHex(raw: string): string {
  return Buffer.from(raw, "latin1").toString("hex");
}

/**
 * A growing tree that remembers only the roots of its complete subtrees: O(log n) memory, one to
 * two hashes a leaf.
 */
export class TreeHead {
  #size = 0;
  /** Roots of the complete subtrees, largest first, in latin1. */
  readonly #roots: string[] = [];

  /** A tree that grows on its own from here. */
  copy(): TreeHead {
    const copy = new TreeHead();
    copy.#size = this.#size;
    copy.#roots.push(...this.#roots);
    return copy;
  }

  get size(): number {
    return this.#size;
  }

  append(entryHash: string): void {
    let hash = rawLeafHash(entryHash);
    for (let bits = this.#size; bits % 2 === 1; bits = Math.floor(bits / 2)) {
      hash = rawNodeHash(this.#roots.pop() ?? "", hash);
    }
    this.#roots.push(hash);
    this.#size += 1;
  }

  root(): string {
    return this.#roots.length === 0
      ? EMPTY_ROOT
      : toHex(this.#roots.reduceRight((right, left) => rawNodeHash(left, right)));
  }
}
