import type { SourceCache } from "./source-cache.ts";
import { WORD_BYTES } from "./word-code.ts";

/** Sixteen megabytes of marks: beside a million words, one invented name in two thousand slips through. */
const MARKS_LOG2 = 27;
/** Words that are remembered as marked already. */
const RECENT = 1 << 13;

/**
 * Every word of a tree, as marks in a bit field: one pass over the source answers any number of
 * questions. A name that is there is always known; a name that is not may rarely seem so.
 */
export class KnownNames {
  readonly #marks = new Uint32Array(1 << (MARKS_LOG2 - 5));
  readonly #recent = new Int32Array(RECENT);
  /** A file that was not looked into; what is not known may be in there. */
  unread: string | undefined;

  static async of(cache: SourceCache): Promise<KnownNames> {
    const names = new KnownNames();
    for await (const [path, entry] of cache.each(await cache.paths())) {
      if (entry.kind === "text") names.#take(entry.source.plain.bytes);
      else if (entry.kind !== "binary" && entry.kind !== "link") names.unread ??= path;
      names.#take(Buffer.from(path));
    }
    return names;
  }

  has(name: string): boolean {
    let hash = FNV_START;
    for (const byte of Buffer.from(name)) hash = mixed(hash, byte);
    return this.#isMarked(hash) && this.#isMarked(second(hash));
  }

  #isMarked(hash: number): boolean {
    const bit = hash >>> (32 - MARKS_LOG2);
    return (((this.#marks[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  /** The inner loop of the whole check over a tree, hence plain numbers and no calls that allocate. */
  #take(bytes: Buffer): void {
    const [marks, recent, isWord] = [this.#marks, this.#recent, WORD_BYTES];
    const { length } = bytes;
    for (let at = 0; at < length; ) {
      let byte = bytes[at++] ?? 0;
      if (isWord[byte] !== 1) continue;
      let hash = FNV_START;
      do {
        hash = mixed(hash, byte);
        byte = at < length ? (bytes[at] ?? 0) : 0;
        at += 1;
      } while (isWord[byte] === 1);
      // Most words of a tree were there a moment ago; the marks lie far apart, this lies close.
      if (recent[hash & (RECENT - 1)] !== hash) {
        recent[hash & (RECENT - 1)] = hash;
        mark(marks, hash);
        mark(marks, second(hash));
      }
    }
  }
}

function mark(marks: Uint32Array, hash: number): void {
  const bit = hash >>> (32 - MARKS_LOG2);
  marks[bit >>> 5] = (marks[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

const FNV_START = 0x811c9dc5 | 0;

function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Each name has two marks; the place of the second comes from the same hash, stirred once more. */
function second(hash: number): number {
  const stirred = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return stirred ^ (stirred >>> 13);
}
