import { findAll } from "./find-all.ts";

/** Where a text stands, first and last line. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Characters from one offset up to another. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A text with its lines, and the ways to find something in it. */
export class TextView {
  readonly text: string;
  #starts: number[] | undefined;
  #squeezed: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** A last line without a newline counts; nothing after the last newline does not. */
  get lineCount(): number {
    return this.starts.length - 1;
  }

  /** The offset of each line, and of the end. */
  get starts(): readonly number[] {
    this.#starts ??= startsOf(this.text);
    return this.#starts;
  }

  /** The line that an offset lies in, counted from one. */
  lineAt(offset: number): number {
    const starts = this.starts;
    let [low, high] = [0, starts.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  line(number: number): string {
    return this.text.slice(this.starts[number - 1], this.starts[number]).replace(/\n$/, "");
  }

  placeOf({ start, end }: Stretch): Place {
    return { from: this.lineAt(start), to: this.lineAt(Math.max(start, end - 1)) };
  }

  /** Exact occurrences within some lines, or everywhere. */
  exact(pattern: string, max: number, lines?: Place): Stretch[] {
    const from = lines === undefined ? 0 : this.#startOf(lines.from);
    const text =
      lines === undefined ? this.text : this.text.slice(from, this.#startOf(lines.to + 1));
    return findAll(text, pattern, max).map((at) => ({
      start: from + at,
      end: from + at + pattern.length,
    }));
  }

  /** Occurrences when white space does not count. */
  squeezed(pattern: string, max: number): Stretch[] {
    this.#squeezed ??= squeeze(this.text);
    const wanted = squeeze(pattern);
    const found = findAll(this.#squeezed, wanted, max);
    return found.length === 0 ? [] : this.#unsqueeze(found, wanted.length);
  }

  /** Back to offsets in the text, in one pass over it. */
  #unsqueeze(found: readonly number[], length: number): Stretch[] {
    const lasts = found.map((at) => at + length - 1);
    const offsets = offsetsIn(
      this.text,
      [...found, ...lasts].sort((a, b) => a - b),
    );
    const offset = (at: number) => offsets.get(at) ?? 0;
    return found.map((at) => ({ start: offset(at), end: offset(at + length - 1) + 1 }));
  }

  #startOf(line: number): number {
    const at = Math.min(Math.max(line - 1, 0), this.starts.length - 1);
    return this.starts[at] ?? 0;
  }
}

export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

const SPACES = /\s+/g;

/** Where the n-th characters that are no white space stand, for n in rising order. */
function offsetsIn(text: string, sorted: readonly number[]): Map<number, number> {
  const offsets = new Map<number, number>();
  let next = 0;
  let skipped = 0;
  // A stretch without white space ends where the next white space begins.
  SPACES.lastIndex = 0;
  for (let match = SPACES.exec(text); next < sorted.length; match = SPACES.exec(text)) {
    const end = match?.index ?? text.length;
    for (; next < sorted.length && (sorted[next] ?? 0) + skipped < end; next += 1) {
      const wanted = sorted[next] ?? 0;
      offsets.set(wanted, wanted + skipped);
    }
    if (match === null) break;
    skipped += match[0].length;
  }
  return offsets;
}
