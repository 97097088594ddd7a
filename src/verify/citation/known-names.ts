import type { SourceCache } from "./source-cache.ts";
import { isWordCode } from "./word-code.ts";

/** Files that are read ahead while others are taken in. */
const AHEAD = 8;
/** Sixteen megabytes of marks: beside a million words, one invented name in two thousand slips through. */
const MARKS_LOG2 = 27;

/**
 * Every word of a tree, as marks in a bit field: one pass over the source answers any number of
 * questions. A name that is there is always known; a name that is not may rarely seem so.
 */
export class KnownNames {
  readonly #marks = new Uint32Array(1 << (MARKS_LOG2 - 5));
  /** A file that was not looked into; what is not known may be in there. */
  unread: string | undefined;

  static async of(cache: SourceCache): Promise<KnownNames> {
    const names = new KnownNames();
    const paths = await cache.paths();
    for (let from = 0; from < paths.length; from += AHEAD) {
      const group = paths.slice(from, from + AHEAD);
      const entries = await Promise.all(group.map((path) => cache.read(path)));
      for (const [at, entry] of entries.entries()) {
        if (entry.kind === "text") names.#take(entry.source.plain.text);
        else if (entry.kind !== "binary" && entry.kind !== "link") names.unread ??= group[at];
      }
      for (const path of group) names.#take(path);
    }
    return names;
  }

  has(name: string): boolean {
    let hash = FNV_START;
    for (let at = 0; at < name.length; at += 1) hash = mixed(hash, name.charCodeAt(at));
    return this.#isMarked(hash) && this.#isMarked(second(hash));
  }

  #isMarked(hash: number): boolean {
    const bit = hash >>> (32 - MARKS_LOG2);
    return (((this.#marks[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
  }

  /** The inner loop of the whole check over a tree, hence plain numbers and no calls that allocate. */
  #take(text: string): void {
    const marks = this.#marks;
    let hash = FNV_START;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isWordCode(code)) hash = mixed(hash, code);
      else if (hash !== FNV_START) {
        mark(marks, hash);
        mark(marks, second(hash));
        hash = FNV_START;
      }
    }
    if (hash === FNV_START) return;
    mark(marks, hash);
    mark(marks, second(hash));
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
