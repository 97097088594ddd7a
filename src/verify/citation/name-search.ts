import type { SourceCache } from "./source-cache.ts";
import { WantedWords } from "./wanted-words.ts";

/**
 * Looks for names in all of a tree: one pass for any number of names, which ends as soon as all of
 * them were met. What it learnt it remembers.
 */
export class NameSearch {
  readonly #cache: SourceCache;
  readonly #isThere = new Map<string, boolean>();
  /** A file that was not looked into; what was not found may be in there. */
  unread: string | undefined;

  constructor(cache: SourceCache) {
    this.#cache = cache;
  }

  /** Finds out about names, so that {@link has} can tell. */
  async look(names: readonly string[]): Promise<void> {
    const unknown = names.filter((name) => !this.#isThere.has(name));
    if (unknown.length === 0) return;
    const missing = await this.#missing(unknown);
    for (const name of unknown) this.#isThere.set(name, !missing.has(name));
  }

  /** Whether a name that was looked for is in a file or in the name of one. */
  has(name: string): boolean {
    return this.#isThere.get(name) === true;
  }

  async #missing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = new WantedWords(names);
    const paths = await this.#cache.paths();
    for (const path of paths) wanted.meet(Buffer.from(path));
    for await (const [path, entry] of this.#cache.each(paths)) {
      if (wanted.left.size === 0) break;
      if (entry.kind === "text") wanted.meet(entry.source.plain.bytes);
      else if (entry.kind !== "binary" && entry.kind !== "link") this.unread ??= path;
    }
    return wanted.left;
  }
}
