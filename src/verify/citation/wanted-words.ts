import { WORD_BYTES } from "./word-code.ts";

/** Words that are looked for in texts, until they were met. */
export class WantedWords {
  /** Those that were not met yet. */
  readonly left: Set<string>;
  /** To take every word out of a text as a string would cost most of the time. */
  readonly #hashes = new Set<number>();
  /** Marks the first two bytes of each, by which most words of a text are passed over. */
  readonly #starts = new Uint8Array(1 << 16);

  constructor(words: readonly string[]) {
    this.left = new Set(words);
    for (const word of this.left) {
      const bytes = Buffer.from(word);
      this.#hashes.add(hashOf(bytes, 0, bytes.length));
      this.#starts[startOf(bytes, 0)] = 1;
    }
  }

  /** The inner loop of a search through a tree, hence plain numbers and nothing that allocates. */
  meet(text: Buffer): void {
    const { length } = text;
    const [starts, isWord] = [this.#starts, WORD_BYTES];
    for (let at = 0; at < length; at += 1) {
      if (isWord[text[at] ?? 0] !== 1) continue;
      const from = at;
      while (at < length && isWord[text[at] ?? 0] === 1) at += 1;
      if (starts[startOf(text, from)] === 1) this.#meetWord(text, from, at);
    }
  }

  #meetWord(text: Buffer, from: number, to: number): void {
    // Another word may have the same hash; then nothing is taken away that was wanted.
    if (this.#hashes.has(hashOf(text, from, to))) this.left.delete(text.toString("utf8", from, to));
  }
}

/** The first two bytes of a word as one number; what follows a word of one byte is not part of it. */
function startOf(text: Buffer, at: number): number {
  const second = text[at + 1] ?? 0;
  return ((text[at] ?? 0) << 8) | (WORD_BYTES[second] === 1 ? second : 0);
}

/** FNV-1a. */
function hashOf(text: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
  return hash;
}
