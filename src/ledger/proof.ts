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

/** A tree as a checkpoint names it. */
export interface TreeRef {
  readonly size: number;
  readonly root: string;
}

/** Whether `path` leads from the entry to the root (RFC 9162, 2.1.3.2). All of it may be hostile. */
export function isIncluded(
  entryHash: string,
  { index, size, path, root }: TreeRef & { index: number; path: readonly string[] },
): boolean {
  if (!isIndex(index) || !isIndex(size) || index >= size) return false;
  const steps = climb(index, size - 1, path.length);
  if (!steps) return false;
  const hash = path.reduce(
    (below, step, i) => joined(step, below, steps[i] === true),
    leafHash(entryHash),
  );
  return hash === root;
}

/** Whether the older tree is a prefix of the newer one (RFC 9162, 2.1.4.2). */
export function isConsistent(older: TreeRef, newer: TreeRef, path: readonly string[]): boolean {
  if (!isIndex(older.size - 1) || !isIndex(newer.size - older.size)) return false;
  if (older.size === newer.size) return path.length === 0 && older.root === newer.root;
  // Above a complete left subtree the older tree's own root is where the way begins.
  let [fn, sn] = [older.size - 1, newer.size - 1];
  while (fn % 2 === 1) [fn, sn] = [half(fn), half(sn)];
  const [first, ...rest] = fn === 0 ? [older.root, ...path] : path;
  const steps = climb(fn, sn, rest.length);
  if (first === undefined || !steps) return false;
  // A right sibling lies beyond the older tree, so only the newer one takes it in.
  const oldHash = rest.reduce(
    (below, step, i) => (steps[i] ? nodeHash(step, below) : below),
    first,
  );
  const newHash = rest.reduce((below, step, i) => joined(step, below, steps[i] === true), first);
  return oldHash === older.root && newHash === newer.root;
}

/**
 * The way up from a node to the root: per step, whether the sibling is on the left. Undefined when
 * the number of steps is not the one this place in the tree needs.
 */
function climb(index: number, last: number, count: number): boolean[] | undefined {
  const steps: boolean[] = [];
  let [fn, sn] = [index, last];
  while (steps.length < count) {
    if (sn === 0) return undefined;
    const isLeft = fn % 2 === 1 || fn === sn;
    while (isLeft && fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    [fn, sn] = [half(fn), half(sn)];
    steps.push(isLeft);
  }
  return sn === 0 ? steps : undefined;
}

function joined(sibling: string, hash: string, isLeft: boolean): string {
  return isLeft ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
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
