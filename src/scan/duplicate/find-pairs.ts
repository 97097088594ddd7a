import type { CodeLines } from "./code-lines.ts";

/** The least that counts as a block, in lines of code and in tokens. */
const LINES_MIN = 12;
const TOKENS_MIN = 60;
/** Rows of a table look alike without being copies; a block has this many different lines. */
const DIFFERENT_LINES_MIN = 6;
const HASH_STEP = 0x01000193;

/** Two places with the same lines of code; indexes into the lines of each file. */
export interface Pair {
  readonly first: { readonly file: number; readonly from: number };
  readonly second: { readonly file: number; readonly from: number };
  readonly lines: number;
  readonly tokens: number;
}

/**
 * Finds blocks that stand in two places. Files are read in order, each line is the start of one
 * window, and a window that was seen before is followed as far as both places agree. What belongs to
 * a pair is passed over, so that the whole is linear in the number of lines, and a third copy is
 * paired with the first.
 */
export function findPairs(files: readonly CodeLines[]): Pair[] {
  const seen = new Map<number, Pair["first"]>();
  const pairs: Pair[] = [];
  for (const [file, lines] of files.entries()) {
    const windows = windowHashes(lines.hashes);
    for (let from = 0; from < windows.length; ) {
      const pair = pairAt(files, seen, windows[from] ?? 0, { file, from });
      if (pair) pairs.push(pair);
      from += pair ? pair.lines : 1;
    }
  }
  return pairs;
}

function pairAt(
  files: readonly CodeLines[],
  seen: Map<number, Pair["first"]>,
  window: number,
  place: Pair["second"],
): Pair | undefined {
  const first = seen.get(window);
  if (first !== undefined) return follow(files, first, place);
  seen.set(window, place);
  return undefined;
}

/** A hash for each run of LINES_MIN lines; taking one line in and one out costs the same each time. */
function windowHashes(hashes: Uint32Array): Int32Array {
  const windows = new Int32Array(Math.max(0, hashes.length - LINES_MIN + 1));
  let oldest = 1;
  for (let line = 1; line < LINES_MIN; line += 1) oldest = Math.imul(oldest, HASH_STEP);
  let hash = 0;
  for (let line = 0; line < hashes.length; line += 1) {
    const leaving = line >= LINES_MIN ? (hashes[line - LINES_MIN] ?? 0) : 0;
    hash = (hash - Math.imul(leaving, oldest)) | 0;
    hash = (Math.imul(hash, HASH_STEP) + (hashes[line] ?? 0)) | 0;
    if (line >= LINES_MIN - 1) windows[line - LINES_MIN + 1] = hash;
  }
  return windows;
}

function follow(
  files: readonly CodeLines[],
  first: Pair["first"],
  second: Pair["second"],
): Pair | undefined {
  const [one, other] = [files[first.file], files[second.file]];
  if (one === undefined || other === undefined || !isVaried(one.hashes, first.from)) {
    return undefined;
  }
  // Within one file the second place starts where the first one ends at the earliest.
  const room = first.file === second.file ? second.from - first.from : one.hashes.length;
  const most = Math.min(room, one.hashes.length - first.from, other.hashes.length - second.from);
  let [lines, tokens] = [0, 0];
  while (lines < most && one.hashes[first.from + lines] === other.hashes[second.from + lines]) {
    tokens += one.tokens[first.from + lines] ?? 0;
    lines += 1;
  }
  return lines >= LINES_MIN && tokens >= TOKENS_MIN ? { first, second, lines, tokens } : undefined;
}

/**
 * Judged before anything is followed: a line repeated a million times would otherwise be followed
 * from each of its places. Each line has a token, so what is varied and followed for long is a pair.
 */
function isVaried(hashes: Uint32Array, from: number): boolean {
  let different = 0;
  for (let line = from; line < from + LINES_MIN; line += 1) {
    let earlier = from;
    while (hashes[earlier] !== hashes[line]) earlier += 1;
    if (earlier === line) different += 1;
  }
  return different >= DIFFERENT_LINES_MIN;
}
