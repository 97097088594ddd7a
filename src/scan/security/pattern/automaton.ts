import { ANY, type Charset, classOf, END, NONE, START } from "./charset.ts";
import type { Pattern } from "./parse.ts";

/** Larger patterns are not judged. */
const POSITIONS_MAX = 400;
/** A bounded repetition is written out this often at most: more copies show nothing new. */
const COPIES_MAX = 4;

/**
 * The pattern as positions that read one character each. How often an edge was added tells in how
 * many ways the same step can be taken, which nested repetitions hide otherwise.
 */
export interface Automaton {
  readonly sets: readonly Charset[];
  readonly follow: readonly ReadonlyMap<number, number>[];
  /** What may not come after a position: the `/` in `\*(?!/)`. */
  readonly denied: ReadonlyMap<number, Charset>;
  /** Positions after which the match is complete, whatever comes next. */
  readonly accepting: ReadonlySet<number>;
  /** Positions with which a match ends, the end of the text among them. */
  readonly last: ReadonlySet<number>;
  /** The position that stands for the search through the text for a start, if there is one. */
  readonly search: number | undefined;
}

interface Fragment {
  readonly nullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const NOTHING: Fragment = { nullable: true, first: [], last: [] };

/** The automaton of a pattern; undefined when it is too large. */
export function buildAutomaton(pattern: Pattern, isSticky: boolean): Automaton | undefined {
  const builder = new Builder();
  const whole = builder.build(pattern);
  if (builder.isFull) return undefined;
  const accepting = new Set(whole.last.filter((one) => (builder.sets[one] ?? 0n) !== END));
  const last = new Set(whole.last);
  const isAnchored = whole.first.every((one) => ((builder.sets[one] ?? 0n) & ~START) === 0n);
  const { sets, follow, denied } = builder;
  if (isSticky || isAnchored || whole.first.length === 0 || whole.nullable)
    return { sets, follow, denied, accepting, last, search: undefined };
  const search = builder.position(ANY);
  const before = setBefore(pattern, firstSet(whole, builder.sets));
  if (before === ANY) builder.link([search], [search, ...whole.first]);
  else {
    const start = builder.position(before);
    builder.link([search], [search, start]);
    builder.link([start], whole.first);
  }
  return { sets, follow, denied, accepting, last, search };
}

const firstSet = ({ first }: Fragment, sets: readonly Charset[]): Charset =>
  first.reduce((all, one) => all | (sets[one] ?? NONE), NONE) & ANY;

const WORD = classOf("w") ?? NONE;

/**
 * What can stand before a match. `\b\w+` and `(?<!\s)\s+` cannot start in the middle of what they
 * read, so that the search for a start does not read the same part again and again.
 */
function setBefore(pattern: Pattern, first: Charset): Charset {
  switch (pattern.kind) {
    case "after":
      return pattern.set;
    case "edge":
      if ((first & ~WORD) === NONE) return ANY & ~WORD;
      return (first & WORD) === NONE ? WORD : ANY;
    case "sequence":
      return pattern.parts[0] === undefined ? ANY : setBefore(pattern.parts[0], first);
    case "choice":
      return pattern.options.reduce((set, option) => set | setBefore(option, first), NONE);
    case "set":
      // The start of the text has nothing before it that could be read again.
      return pattern.set === START ? NONE : ANY;
    default:
      return ANY;
  }
}

class Builder {
  readonly sets: Charset[] = [];
  readonly follow: Map<number, number>[] = [];
  readonly denied = new Map<number, Charset>();

  get isFull(): boolean {
    return this.sets.length >= POSITIONS_MAX;
  }

  position(set: Charset): number {
    this.sets.push(set);
    this.follow.push(new Map());
    return this.sets.length - 1;
  }

  link(from: readonly number[], to: readonly number[]): void {
    for (const one of from)
      for (const other of to) {
        const edges = this.follow[one];
        edges?.set(other, (edges.get(other) ?? 0) + 1);
      }
  }

  build(pattern: Pattern): Fragment {
    if (this.isFull) return NOTHING;
    switch (pattern.kind) {
      case "set": {
        const at = this.position(pattern.set);
        return { nullable: false, first: [at], last: [at] };
      }
      case "sequence":
        return pattern.parts.reduce<Fragment>((left, part) => this.#append(left, part), NOTHING);
      case "choice": {
        const options = pattern.options.map((option) => this.build(option));
        return {
          nullable: options.some((option) => option.nullable),
          first: options.flatMap((option) => option.first),
          last: options.flatMap((option) => option.last),
        };
      }
      case "repeat":
        return this.#repeat(pattern.body, pattern.least, pattern.most);
      default:
        return NOTHING;
    }
  }

  #append(left: Fragment, part: Pattern): Fragment {
    if (part.kind !== "denial") return this.#concat(left, this.build(part));
    if (part.only && !left.nullable)
      for (const one of left.last) this.denied.set(one, (this.denied.get(one) ?? NONE) | part.set);
    return left;
  }

  #concat(left: Fragment, right: Fragment): Fragment {
    this.link(left.last, right.first);
    return {
      nullable: left.nullable && right.nullable,
      first: left.nullable ? [...left.first, ...right.first] : left.first,
      last: right.nullable ? [...left.last, ...right.last] : right.last,
    };
  }

  #repeat(body: Pattern, least: number, most: number): Fragment {
    let whole = NOTHING;
    const isEndless = most === Infinity;
    const required = Math.min(least, COPIES_MAX);
    for (let copy = 0; copy < required - (isEndless ? 1 : 0); copy += 1)
      whole = this.#concat(whole, this.build(body));
    if (isEndless) {
      const looped = this.build(body);
      this.link(looped.last, looped.first);
      return this.#concat(whole, least === 0 ? { ...looped, nullable: true } : looped);
    }
    return this.#concat(whole, this.#optional(body, Math.min(most - least, COPIES_MAX)));
  }

  /** One copy inside of the other: which of them reads a character is never left open. */
  #optional(body: Pattern, copies: number): Fragment {
    let rest = NOTHING;
    for (let copy = 0; copy < copies; copy += 1)
      rest = { ...this.#concat(this.build(body), rest), nullable: true };
    return rest;
  }
}
