import type { TextView } from "./text-view.ts";

/** A hint is worth a glance and not a search of everything. */
const PATHS_MAX = 50_000;
const LINES_MAX = 20;
const RARE_WORDS = 3;
const LINE_CHARS_MAX = 300;
const NAME_CHARS_MAX = 100;
const EDITS_MAX = 2;
const SHARED_MIN = 0.6;

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The path that somebody may have meant: the same name elsewhere, or a name with a slip in it. */
export function nearPath(wanted: string, paths: readonly string[]): string | undefined {
  const name = nameOf(wanted).toLowerCase();
  const names = paths
    .slice(0, PATHS_MAX)
    .map((path) => ({ path, name: nameOf(path).toLowerCase() }));
  const same = names.find((one) => one.name === name);
  if (same !== undefined) return same.path;
  if (name.length > NAME_CHARS_MAX) return undefined;
  return names.find((one) => editsBetween(one.name, name) <= EDITS_MAX && name.length > 4)?.path;
}

/** How many characters must change; everything above the bound counts as one more than it. */
function editsBetween(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > EDITS_MAX) return EDITS_MAX + 1;
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [index, character] of [...left].entries()) {
    row = nextRow(row, index + 1, character, right);
    if (Math.min(...row) > EDITS_MAX) return EDITS_MAX + 1;
  }
  return row[right.length] ?? 0;
}

function nextRow(
  row: readonly number[],
  first: number,
  character: string,
  right: string,
): number[] {
  const next = [first];
  for (let at = 1; at <= right.length; at += 1) {
    const change = character === right[at - 1] ? 0 : 1;
    const kept = (row[at - 1] ?? 0) + change;
    next[at] = Math.min(kept, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1);
  }
  return next;
}

/** A line that shares most words with the longest quoted one. */
export function nearLine(view: TextView, quoted: string): number | undefined {
  const longest = quoted
    .split("\n")
    .reduce((best, line) => (line.length > best.length ? line : best));
  const wanted = wordsOf(longest);
  let best: { line: number; share: number } | undefined;
  for (const line of wanted.size < 2 ? [] : linesWith(view, wanted)) {
    const text = view.line(line);
    // Taking a line apart costs most: only where it can be nearer than the nearest one so far.
    const most = sharedOf(wanted, (word) => text.includes(word)) / wanted.size;
    if (most < SHARED_MIN || most <= (best?.share ?? 0)) continue;
    const words = wordsOf(text);
    const share = sharedOf(wanted, (word) => words.has(word)) / Math.max(wanted.size, words.size);
    if (share >= SHARED_MIN && share > (best?.share ?? 0)) best = { line, share };
  }
  return best?.line;
}

/** Lines with one of the longest words, which are the rarest. */
function linesWith(view: TextView, words: ReadonlySet<string>): Set<number> {
  const rare = [...words].sort((a, b) => b.length - a.length).slice(0, RARE_WORDS);
  const found = rare.flatMap((word) => view.exact(word, LINES_MAX));
  return new Set(found.map(({ start }) => view.lineAt(start)));
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, LINE_CHARS_MAX).match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function sharedOf(words: ReadonlySet<string>, isThere: (word: string) => boolean): number {
  let shared = 0;
  for (const word of words) if (isThere(word)) shared += 1;
  return shared;
}
