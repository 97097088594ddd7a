import { assert, sha256Hex } from "../base/index.ts";

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
  #size: number;
  readonly #roots: string[];

  /** Continues from a state that {@link TreeHead.frontier} gave earlier. */
  constructor(size = 0, frontier: readonly string[] = []) {
    assert(frontier.length === bitCount(size), "a frontier has one root per set bit of the size");
    this.#size = size;
    this.#roots = [...frontier];
  }

  get size(): number {
    return this.#size;
  }

  /** Roots of the complete subtrees, largest first. */
  get frontier(): readonly string[] {
    return this.#roots;
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

function bitCount(size: number): number {
  return size.toString(2).replaceAll("0", "").length;
}
