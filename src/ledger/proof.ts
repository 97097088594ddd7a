import { SwornError } from "../base/index.ts";
import { leafHash, nodeHash, TreeHead } from "./tree.ts";

/**
 * The path from leaf `index` to the root of the tree over `entryHashes` (RFC 6962, 2.1.1).
 *
 * @throws SwornError `NOT_FOUND` when there is no such leaf.
 */
export function proveInclusion(entryHashes: readonly string[], index: number): string[] {
  if (!Number.isInteger(index) || index < 0 || index >= entryHashes.length) {
    throw new SwornError(
      "NOT_FOUND",
      `no entry ${index}: the trace has ${entryHashes.length} entries`,
    );
  }
  return pathTo(index, 0, entryHashes.length, rootOf(entryHashes));
}

/**
 * Shows that the tree of the first `oldSize` leaves is a prefix of the whole one (RFC 6962, 2.1.2).
 *
 * @throws SwornError `NOT_FOUND` when the old tree is empty or larger than the whole.
 */
export function proveConsistency(entryHashes: readonly string[], oldSize: number): string[] {
  if (!Number.isInteger(oldSize) || oldSize < 1 || oldSize > entryHashes.length) {
    throw new SwornError(
      "NOT_FOUND",
      `no tree of size ${oldSize}: the trace has ${entryHashes.length} entries`,
    );
  }
  return subproof(oldSize, 0, entryHashes.length, true, rootOf(entryHashes));
}

/** Whether `path` leads from the entry to the root. All of it may come from an adversary. */
export function isIncluded(
  entryHash: string,
  place: { index: number; size: number; path: readonly string[]; root: string },
): boolean {
  const { index, size, path, root } = place;
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size)
    return false;
  let fn = index;
  let sn = size - 1;
  let hash = leafHash(entryHash);
  for (const sibling of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(sibling, hash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && hash === root;
}

/** Whether the tree with `oldRoot` is a prefix of the one with `newRoot` (RFC 9162, 2.1.4.2). */
export function isConsistent(
  older: { size: number; root: string },
  newer: { size: number; root: string },
  path: readonly string[],
): boolean {
  const sizes = [older.size, newer.size];
  if (!sizes.every(Number.isSafeInteger) || older.size < 1 || older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && older.root === newer.root;
  let fn = older.size - 1;
  let sn = newer.size - 1;
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  const steps = fn === 0 ? [older.root, ...path] : [...path];
  const first = steps.shift();
  if (first === undefined) return false;
  let [oldHash, newHash] = [first, first];
  for (const step of steps) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      oldHash = nodeHash(step, oldHash);
      newHash = nodeHash(step, newHash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      newHash = nodeHash(newHash, step);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && oldHash === older.root && newHash === newer.root;
}

type SubtreeRoot = (from: number, to: number) => string;

function rootOf(entryHashes: readonly string[]): SubtreeRoot {
  return (from, to) => {
    const tree = new TreeHead();
    for (let index = from; index < to; index += 1) tree.append(entryHashes[index] ?? "");
    return tree.root();
  };
}

function pathTo(index: number, from: number, to: number, root: SubtreeRoot): string[] {
  if (to - from === 1) return [];
  const middle = from + largestPowerBelow(to - from);
  return index < middle
    ? [...pathTo(index, from, middle, root), root(middle, to)]
    : [...pathTo(index, middle, to, root), root(from, middle)];
}

function subproof(
  oldSize: number,
  from: number,
  to: number,
  whole: boolean,
  root: SubtreeRoot,
): string[] {
  if (oldSize === to - from) return whole ? [] : [root(from, to)];
  const left = largestPowerBelow(to - from);
  return oldSize <= left
    ? [...subproof(oldSize, from, from + left, whole, root), root(from + left, to)]
    : [...subproof(oldSize - left, from + left, to, false, root), root(from, from + left)];
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

const half = (value: number): number => Math.floor(value / 2);
