import { WORD_BYTES } from "./word-code.ts";

/** How far a text is stepped through at most; longer steps would stop at more words by chance. */
const STEP_MAX = 12;
/** Bytes that are looked at with each step. */
const LOOK_BYTES = 3;

/** Words that are looked for in texts, until they were met. */
export class WantedWords {
  /** Those that were not met yet. */
  readonly left: Set<string>;
  /** To take every word out of a text as a string would cost most of the time. */
  readonly #hashes = new Set<number>();
  /** Marks the three bytes that a step can meet a word by; nearly all of a text has none of them. */
  readonly #looks = new Uint8Array(1 << 16);
  /** So short that no word can be stepped over. */
  readonly #step: number;

  constructor(words: readonly string[]) {
    this.left = new Set(words);
    const spelt = [...this.left].map((word) => Buffer.from(word));
    const shortest = spelt.reduce((least, { length }) => Math.min(least, length), STEP_MAX + 2);
    this.#step = Math.max(1, shortest + 1 - LOOK_BYTES);
    // Of a word that is shorter than a look, anything may be a part.
    if (shortest < LOOK_BYTES) this.#looks.fill(1);
    for (const bytes of spelt) {
      this.#hashes.add(hashOf(bytes, 0, bytes.length));
      for (let at = 0; at < this.#step; at += 1) this.#looks[lookOf(bytes, at)] = 1;
    }
  }

  /** The inner loop of a search through a tree, hence plain numbers and nothing that allocates. */
  meet(text: Buffer): void {
    const [looks, step, last] = [this.#looks, this.#step, text.length - LOOK_BYTES];
    let at = 0;
    // Not past the end, which would make every look slower; the rest is less than one.
    for (; at <= last; at += step) if (looks[lookOf(text, at)] === 1) this.#meetAt(text, at);
    for (; at < text.length; at += 1) this.#meetAt(text, at);
  }

  /** Somewhere in a word that may be a wanted one. */
  #meetAt(text: Buffer, at: number): void {
    let [from, to] = [at, at];
    while (from > 0 && WORD_BYTES[text[from - 1] ?? 0] === 1) from -= 1;
    while (to < text.length && WORD_BYTES[text[to] ?? 0] === 1) to += 1;
    // Another word may have the same hash; then nothing is taken away that was wanted.
    if (this.#hashes.has(hashOf(text, from, to))) this.left.delete(text.toString("utf8", from, to));
  }
}

/** A number below 2^16 for the bytes at an offset; those past the end count as 0. */
function lookOf(text: Buffer, at: number): number {
  return ((text[at] ?? 0) << 8) ^ ((text[at + 1] ?? 0) << 4) ^ (text[at + 2] ?? 0);
}

/** FNV-1a. */
function hashOf(text: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
  return hash;
}
