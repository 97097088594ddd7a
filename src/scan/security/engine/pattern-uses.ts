import { isSafeFor, maskOf } from "../category.ts";
import type { Value } from "./value.ts";

type Written = NonNullable<Value["pattern"]>;

const PATTERNS_MAX = 2_000;
const REDOS = maskOf("redos");

/** The patterns that are written in a file, and whether their texts are known. */
export class PatternUses {
  readonly #written = new Map<string, Written>();
  readonly #harmless = new Set<string>();
  readonly #doubtful = new Set<string>();

  clear(): void {
    this.#written.clear();
    this.#harmless.clear();
    this.#doubtful.clear();
  }

  write(pattern: Written): void {
    if (this.#written.size < PATTERNS_MAX) this.#written.set(keyOf(pattern), pattern);
  }

  /** A constant text does no harm, nor does one of bounded length. */
  match(pattern: Written, text: Value): void {
    const isBounded = text.flows.every(({ safe }) => isSafeFor(safe, REDOS));
    const isKnown = text.short === true || (isBounded && text.flows.length > 0);
    (isKnown ? this.#harmless : this.#doubtful).add(keyOf(pattern));
  }

  /** Patterns of which nothing says what they will meet, but for those that were spoken of. */
  *open(spokenOf: ReadonlySet<string>): Iterable<Written> {
    for (const [key, pattern] of this.#written) {
      const isHarmless = this.#harmless.has(key) && !this.#doubtful.has(key);
      if (!isHarmless && !spokenOf.has(key)) yield pattern;
    }
  }
}

/** Stands for what is put into a pattern and is not known: some character, read once. */
export const SOMETHING = "\uffff";

/** Tells the patterns of a file apart. */
export const keyOf = ({ at, source }: Written): string => `${at.line} ${source}`;
