import { findAll, periodOf } from "./find-all.ts";
import { offsetsIn, solidAfter, solidBefore, squeeze } from "./white-space.ts";

/** Where a text stands, first and last line. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Characters from one offset up to another. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * A text with its lines, and the ways to find something in it. It stays in UTF-8 as it was read: a
 * tree's worth of strings is what costs most. Well-formed UTF-8 is never found in the middle of a
 * character, so what is found is what a search through characters would find.
 */
export class TextView {
  readonly bytes: Buffer;
  #starts: Uint32Array | undefined;
  #squeezed: Buffer | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** A last line without a newline counts; nothing after the last newline does not. */
  get lineCount(): number {
    return this.starts.length - 1;
  }

  /** The offset of each line, and of the end. */
  get starts(): Uint32Array {
    this.#starts ??= startsOf(this.bytes);
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

  /** Some lines, with their newlines; lines that are not there are left out. */
  textOf({ from, to }: Place): string {
    return this.bytes.toString("utf8", this.#startOf(from), this.#startOf(to + 1));
  }

  line(number: number): string {
    return this.textOf({ from: number, to: number }).replace(/\n$/, "");
  }

  /** How many bytes some lines have. */
  sizeOf({ from, to }: Place): number {
    return this.#startOf(to + 1) - this.#startOf(from);
  }

  placeOf({ start, end }: Stretch): Place {
    return { from: this.lineAt(start), to: this.lineAt(Math.max(start, end - 1)) };
  }

  /** Exact occurrences within some lines, or everywhere. */
  exact(pattern: string, max: number, lines?: Place): Stretch[] {
    const wanted = bytesOf(pattern);
    const from = lines === undefined ? 0 : this.#startOf(lines.from);
    const bytes =
      lines === undefined ? this.bytes : this.bytes.subarray(from, this.#startOf(lines.to + 1));
    return findAll(bytes, wanted, max).map((at) => ({
      start: from + at,
      end: from + at + wanted.length,
    }));
  }

  /** Occurrences when white space does not count. */
  squeezed(pattern: string, max: number): Stretch[] {
    this.#squeezed ??= squeeze(this.bytes);
    return findSqueezed(this.bytes, this.#squeezed, squeeze(bytesOf(pattern)), max);
  }

  /**
   * The same, but only those that can touch some lines: a text need not be squeezed whole to see
   * that a quote is where it should be. None, when more than `max` could stand before those lines.
   */
  squeezedAround(pattern: string, max: number, lines: Place): Stretch[] {
    const wanted = squeeze(bytesOf(pattern));
    if (this.bytes.length >= max * periodOf(wanted)) return [];
    const [first, last] = [this.#startOf(lines.from), this.#startOf(lines.to + 1)];
    const from = solidBefore(this.bytes, first, wanted.length);
    const region = this.bytes.subarray(from, solidAfter(this.bytes, last, wanted.length));
    return findSqueezed(region, squeeze(region), wanted, max).map(({ start, end }) => ({
      start: from + start,
      end: from + end,
    }));
  }

  #startOf(line: number): number {
    const at = Math.min(Math.max(line - 1, 0), this.starts.length - 1);
    return this.starts[at] ?? 0;
  }
}

/** Half a character is in no text; written as UTF-8 it would become a character that may be. */
function bytesOf(pattern: string): Buffer {
  return Buffer.from(pattern.isWellFormed() ? pattern : "");
}

const NEWLINE = 0x0a;
/** Where offsets are put while lines are counted, used again for the next text. */
let counted = new Uint32Array(4_096);
/** A file of newlines alone makes it long; such a one is let go. */
const COUNTED_KEPT_MAX = 100_000;

/** By the engine's own search for a byte, which is several times faster than a loop over them. */
function startsOf(bytes: Buffer): Uint32Array {
  let count = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    counted[count] = at + 1;
    count += 1;
    // Room for one more is kept: the end of the text.
    if (count === counted.length) counted = enlarged(counted);
  }
  if (counted[count - 1] !== bytes.length) {
    counted[count] = bytes.length;
    count += 1;
  }
  const starts = counted.slice(0, count);
  if (counted.length > COUNTED_KEPT_MAX) counted = new Uint32Array(4_096);
  return starts;
}

function enlarged(full: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * full.length);
  larger.set(full);
  return larger;
}

function findSqueezed(text: Buffer, squeezed: Buffer, wanted: Buffer, max: number): Stretch[] {
  const found = findAll(squeezed, wanted, max);
  if (found.length === 0) return [];
  const lasts = found.map((at) => at + wanted.length - 1);
  const offsets = offsetsIn(
    text,
    [...found, ...lasts].sort((a, b) => a - b),
  );
  const offset = (at: number) => offsets.get(at) ?? 0;
  return found.map((at) => ({ start: offset(at), end: offset(at + wanted.length - 1) + 1 }));
}
