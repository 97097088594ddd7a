import type { Placed } from "./compare-test.ts";
import { fullTitle } from "./test-case.ts";

/** Which test of the old version is which of the new one. */
export interface Pairing {
  readonly pairs: readonly { readonly before: Placed; readonly after: Placed }[];
  readonly gone: readonly Placed[];
  readonly fresh: readonly Placed[];
}

/** Shorter functions are alike without being the same test. */
const BODY_CHARS_MIN = 30;
/** Of the lines of a test, so many have to be found again in the other one. */
const ALIKE = 0.6;
const TITLE_ALIKE = 0.75;
const TITLE_WORDS_MIN = 5;
const WORDS_MAX = 500;
/** Pairs that are compared word by word in one change. */
const COMPARED_MAX = 20_000;

type Key = (placed: Placed) => string;

/** From what leaves no doubt to what is only likely. `movedFrom` gives a file's old path. */
const KEYS: readonly ((movedFrom: (path: string) => string) => Key)[] = [
  (from) => (one) => `${one.test.kind} ${from(one.path)} ${fullTitle(one.test)} ${one.test.text}`,
  (from) => (one) => `${one.test.kind} ${from(one.path)} ${fullTitle(one.test)}`,
  (from) => (one) => bodyKey(one, from(one.path)),
  (from) => (one) => `${one.test.kind} ${from(one.path)} ${one.test.title}`,
  (from) => (one) => `${one.test.kind} ${from(one.path)} ${withoutPlaces(one.test.title)}`,
  () => (one) => named(one, fullTitle(one.test)),
  () => (one) => bodyKey(one, ""),
];

/** Pairs tests by title, by what they do, and by what they have in common. */
export function pairTests(
  before: readonly Placed[],
  after: readonly Placed[],
  movedFrom: (path: string) => string,
): Pairing {
  const pairs: { before: Placed; after: Placed }[] = [];
  let gone = before;
  const fresh = new Set(after);
  const matchBy = (oldKey: Key, newKey: Key): void => {
    const byKey = new Map<string, Placed[]>();
    for (const one of fresh) {
      const key = newKey(one);
      const group = byKey.get(key);
      if (group) group.push(one);
      else if (key !== "") byKey.set(key, [one]);
    }
    gone = gone.filter((one) => {
      const found = byKey.get(oldKey(one))?.shift();
      if (found === undefined) return true;
      fresh.delete(found);
      pairs.push({ before: one, after: found });
      return false;
    });
  };
  for (const makeKey of KEYS)
    matchBy(
      makeKey((path) => path),
      makeKey(movedFrom),
    );
  const likeness = new Likeness();
  gone = gone.filter((one) => {
    const found = likeness.mostAlike(one, fresh, movedFrom);
    if (found === undefined) return true;
    fresh.delete(found);
    pairs.push({ before: one, after: found });
    return false;
  });
  return { pairs, gone, fresh: [...fresh] };
}

/** A title without what a table puts into it. */
function withoutPlaces(title: string): string {
  return title
    .replaceAll(/[%$]\{?[\w.]*\}?/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function named({ test }: Placed, title: string): string {
  return test.kind === "file" ? "" : `${test.kind} ${title}`;
}

function bodyKey({ test }: Placed, path: string): string {
  if (test.kind === "file" || test.text.length < BODY_CHARS_MIN) return "";
  return `${test.kind} ${path} ${test.text}`;
}

/** Finds the new test of the same file that has most in common with an old one. */
class Likeness {
  readonly #words = new Map<Placed, ReadonlySet<string>>();
  #compared = 0;

  /** Whoever is not found within the bound is gone, which is said: nothing is missed by it. */
  mostAlike(
    old: Placed,
    fresh: ReadonlySet<Placed>,
    movedFrom: (path: string) => string,
  ): Placed | undefined {
    if (old.test.kind !== "test") return undefined;
    let best: { readonly placed: Placed; readonly share: number } | undefined;
    // A test of one case and a table of many are not the same test, however alike they look.
    const isComparable = ({ path, test }: Placed) =>
      test.kind === "test" &&
      movedFrom(path) === old.path &&
      test.rows.length > 0 === old.test.rows.length > 0;
    for (const placed of fresh) {
      if (!isComparable(placed)) continue;
      this.#compared += 1;
      if (this.#compared > COMPARED_MAX) break;
      const share = Math.max(
        shareOf(this.#wordsOf(old), this.#wordsOf(placed)),
        titleShare(old.test.title, placed.test.title),
      );
      if (share >= ALIKE && share > (best?.share ?? 0)) best = { placed, share };
    }
    return best?.placed;
  }

  #wordsOf(placed: Placed): ReadonlySet<string> {
    const known = this.#words.get(placed);
    if (known) return known;
    const words = new Set(placed.test.text.split(/[^\w$"'.]+/, WORDS_MAX));
    this.#words.set(placed, words);
    return words;
  }
}

/** Titles are sentences: one that says most of what the other says is about the same. */
function titleShare(one: string, other: string): number {
  const [from, to] = [one, other].map((title) => new Set(title.toLowerCase().match(/\w+/g))) as [
    Set<string>,
    Set<string>,
  ];
  if (Math.min(from.size, to.size) < TITLE_WORDS_MIN) return 0;
  const both = [...from].filter((word) => to.has(word)).length;
  const share = both / Math.min(from.size, to.size);
  return share >= TITLE_ALIKE ? share : 0;
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  return both / Math.max(1, one.size, other.size);
}
