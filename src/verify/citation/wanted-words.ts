import { WORD_BYTES } from "./word-code.ts";

/** Words that are looked for in texts, until they were met. */
export class WantedWords {
  /** Those that were not met yet. */
  readonly left: Set<string>;
  /** To take every word out of a text as a string would cost most of the time. */
  readonly #hashes = new Set<number>();
  /** Marks the first two bytes of each, by which nearly all of a text is passed over. */
  readonly #starts = new Uint8Array(1 << 16);

  constructor(words: readonly string[]) {
    this.left = new Set(words);
    for (const word of this.left) {
      const bytes = Buffer.from(word);
      this.#hashes.add(hashOf(bytes, 0, bytes.length));
      const start = (bytes[0] ?? 0) << 8;
      // Behind a word of one byte anything may stand.
      if (bytes.length === 1) this.#starts.fill(1, start, start + 256);
      else this.#starts[start | (bytes[1] ?? 0)] = 1;
    }
  }

  /** The inner loop of a search through a tree, hence plain numbers and nothing that allocates. */
  meet(text: Buffer): void {
    const starts = this.#starts;
    let byte = text[0] ?? 0;
    for (let at = 0; at < text.length; at += 1) {
      const next = at + 1 < text.length ? (text[at + 1] ?? 0) : 0;
      if (starts[(byte << 8) | next] === 1) this.#meetAt(text, at);
      byte = next;
    }
  }

  /** Where a wanted word may begin. */
  #meetAt(text: Buffer, from: number): void {
    if (from > 0 && WORD_BYTES[text[from - 1] ?? 0] === 1) return;
    let to = from;
    while (to < text.length && WORD_BYTES[text[to] ?? 0] === 1) to += 1;
    // Another word may have the same hash; then nothing is taken away that was wanted.
    if (this.#hashes.has(hashOf(text, from, to))) this.left.delete(text.toString("utf8", from, to));
  }
}

/** FNV-1a. */
function hashOf(text: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
  return hash;
}
