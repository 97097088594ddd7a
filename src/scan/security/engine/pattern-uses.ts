import type { Value } from "./value.ts";

type Written = NonNullable<Value["pattern"]>;

const PATTERNS_MAX = 2_000;

/** The patterns that are written in a file, and whether their texts are known. */
export class PatternUses {
  readonly #written = new Map<string, Written>();
  readonly #known = new Set<string>();

  clear(): void {
    this.#written.clear();
    this.#known.clear();
  }

  write(pattern: Written): void {
    if (this.#written.size < PATTERNS_MAX) this.#written.set(keyOf(pattern), pattern);
  }

  /** A text with a source is judged by that source, and a constant text does no harm. */
  match(pattern: Written, text: Value): void {
    if (text.flows.length > 0 || text.text !== undefined) this.#known.add(keyOf(pattern));
  }

  /** Patterns of which nothing says what they will meet. */
  *open(): Iterable<Written> {
    for (const [key, pattern] of this.#written) if (!this.#known.has(key)) yield pattern;
  }
}

const keyOf = ({ at, source }: Written) => `${at.line} ${source}`;
