import { sha256Hex } from "../base/index.ts";

/**
 * The Merkle tree of RFC 6962 over entry hashes. Hashes are hex throughout; a leaf is the 32 raw
 * bytes of an entry's hash.
 */

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256Hex("");

// Scratch space: hashing is synchronous, so nobody else sees these buffers half-filled.
const leafBytes = Buffer.alloc(33, 0);
const nodeBytes = Buffer.alloc(65, 1);

/** A leaf starts with 0 and a node with 1, so that neither can be passed off as the other. */
export function leafHash(entryHash: string): string {
  leafBytes.write(entryHash, 1, "hex");
  return sha256Hex(leafBytes);
}

export function nodeHash(left: string, right: string): string {
  nodeBytes.write(left, 1, "hex");
  nodeBytes.write(right, 33, "hex");
  return sha256Hex(nodeBytes);
}

/**
 * A growing tree that remembers only the roots of its complete subtrees: O(log n) memory, one to
 * two hashes a leaf.
 */
export class TreeHead {
  #size = 0;
  /** Roots of the complete subtrees, largest first. */
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
    let hash = leafHash(entryHash);
    for (let bits = this.#size; bits % 2 === 1; bits = Math.floor(bits / 2)) {
      hash = nodeHash(this.#roots.pop() ?? "", hash);
    }
    this.#roots.push(hash);
    this.#size += 1;
  }

  root(): string {
    return this.#roots.length === 0
      ? EMPTY_ROOT
      : this.#roots.reduceRight((right, left) => nodeHash(left, right));
  }
}
