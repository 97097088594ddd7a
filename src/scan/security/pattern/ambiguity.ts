import { type Automaton, buildAutomaton } from "./automaton.ts";
import { ANY, END } from "./charset.ts";
import { components } from "./components.ts";
import { parsePattern } from "./parse.ts";

/** How long a pattern can take: the time doubles with each character, or grows with a power. */
export interface Ambiguity {
  readonly growth: "exponential" | "polynomial";
  /** The power for polynomial growth. */
  readonly degree: number;
  /** Whether it takes the search for a start of the match to get there. */
  readonly bySearch: boolean;
}

const PAIR_STEPS_MAX = 150_000;
const TRIPLE_STEPS_MAX = 20_000;
const LOOP_PAIRS_MAX = 600;
const SOURCE_CHARS_MAX = 3_000;
const CACHE_MAX = 2_000;
const cache = new Map<string, Ambiguity | undefined>();

/** Judges a pattern; undefined when it takes linear time or is beyond what is looked at. */
export function ambiguityOf(source: string, flags: string): Ambiguity | undefined {
  const key = `${flags}/${source}`;
  if (cache.has(key)) return cache.get(key);
  const judged = source.length > SOURCE_CHARS_MAX ? undefined : judge(source, flags);
  if (cache.size > CACHE_MAX) cache.clear();
  cache.set(key, judged);
  return judged;
}

/** What reads to the end of the line fails on nothing but a second line. */
const withoutEnd = (source: string) => source.replace(/(\.\*\)*)\$$/, "$1");

function judge(source: string, flags: string): Ambiguity | undefined {
  const pattern = parsePattern(withoutEnd(source), flags);
  const automaton = pattern && buildAutomaton(pattern, flags.includes("y"));
  if (automaton === undefined) return undefined;
  const judging = new Judging(automaton);
  if (judging.isExponential()) return { growth: "exponential", degree: Infinity, bySearch: false };
  return judging.polynomial();
}

class Judging {
  readonly #automaton: Automaton;
  readonly #component: readonly number[];
  readonly #loops: readonly number[];

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#component = components(automaton.sets.length, (node) => this.#next(node).keys());
    this.#loops = automaton.sets.map((_, node) => node).filter((node) => this.#isLooped(node));
  }

  #next(node: number): ReadonlyMap<number, number> {
    return this.#automaton.follow[node] ?? new Map();
  }

  #reads(node: number): bigint {
    return this.#automaton.sets[node] ?? 0n;
  }

  /** What is read on the step from one position to the next. */
  #readsFrom(from: number, node: number): bigint {
    const denied = this.#automaton.denied.get(from);
    return denied === undefined ? this.#reads(node) : this.#reads(node) & ~denied;
  }

  #isLooped(node: number): boolean {
    for (const next of this.#next(node).keys())
      if (this.#component[next] === this.#component[node]) return true;
    return false;
  }

  /** A loop can fail only when the match is not complete anyway; only then are ways tried again. */
  #canFail(node: number): boolean {
    const { accepting, last } = this.#automaton;
    if (accepting.has(node)) return false;
    // `[^>]+(?:>|$)` goes on or is complete, whatever comes next.
    const taken = [...this.#next(node).keys()].filter((next) => next === node || last.has(next));
    return taken.reduce((set, next) => set | this.#readsFrom(node, next), 0n) !== (ANY | END);
  }

  /** Two ways from a position back to itself over the same text. */
  isExponential(): boolean {
    for (const node of this.#loops) {
      if (!this.#canFail(node)) continue;
      for (const [next, ways] of this.#next(node))
        if (ways > 1 && this.#component[next] === this.#component[node] && this.#canFail(next))
          return true;
    }
    const groups = new Map<number, number[]>();
    // A way that comes by a complete match falls back to it instead of trying the others.
    for (const node of this.#loops.filter((one) => this.#canFail(one))) {
      const group = this.#component[node] ?? -1;
      groups.set(group, [...(groups.get(group) ?? []), node]);
    }
    return [...groups.values()].some((group) => group.length > 1 && this.#hasTwin(group));
  }

  /** Looks in the pairs of positions for a circle through an equal and an unequal pair. */
  #hasTwin(group: readonly number[]): boolean {
    const size = group.length;
    const place = new Map(group.map((node, at) => [node, at]));
    const neighbours = group.map((node) =>
      [...this.#next(node).keys()].filter((next) => place.has(next)),
    );
    let steps = 0;
    const pairs = (pair: number): number[] => {
      const [left, right] = [Math.floor(pair / size), pair % size];
      const [lefts, rights] = [neighbours[left] ?? [], neighbours[right] ?? []];
      const [from, other] = [group[left] ?? 0, group[right] ?? 0];
      steps += lefts.length * rights.length;
      if (steps > PAIR_STEPS_MAX) return [];
      const both = lefts.flatMap((a) => rights.map((b) => [a, b] as const));
      return both
        .filter(([a, b]) => (this.#readsFrom(from, a) & this.#readsFrom(other, b)) !== 0n)
        .map(([a, b]) => (place.get(a) ?? 0) * size + (place.get(b) ?? 0));
    };
    const component = components(size * size, pairs);
    const equal = new Set(group.map((_, at) => component[at * (size + 1)]));
    return component.some((one, pair) => Math.floor(pair / size) !== pair % size && equal.has(one));
  }

  /** The longest chain of loops that can hand the same text on to each other. */
  polynomial(): Ambiguity | undefined {
    const links = this.#links();
    let best: Ambiguity | undefined;
    const chain = (node: number, depth: number, seen: readonly number[]): number => {
      if (depth > 5) return depth;
      const group = this.#component[node] ?? -1;
      const nexts = links.filter(
        ([from, to]) =>
          this.#component[from] === group && !seen.includes(this.#component[to] ?? -1),
      );
      const groups = new Map(nexts.map(([, to]) => [this.#component[to] ?? -1, to]));
      return [...groups.values()]
        .slice(0, 4)
        .reduce((most, to) => Math.max(most, chain(to, depth + 1, [...seen, group])), depth);
    };
    for (const [from] of links) {
      const degree = chain(from, 1, []);
      const bySearch = from === this.#automaton.search;
      if (degree > (best?.degree ?? 1)) best = { growth: "polynomial", degree, bySearch };
    }
    return best;
  }

  #links(): [number, number][] {
    const found = new Map<string, [number, number]>();
    let tried = 0;
    for (const from of this.#loops)
      for (const to of this.#loops) {
        const key = `${this.#component[from]}:${this.#component[to]}`;
        const isSame = this.#component[from] === this.#component[to];
        if (isSame || found.has(key) || !this.#canFail(to) || tried >= LOOP_PAIRS_MAX) continue;
        tried += 1;
        if (this.#handsOn(from, to)) found.set(key, [from, to]);
      }
    return [...found.values()];
  }

  /** Whether some text leads from one loop into itself, into the other, and the other into itself. */
  #handsOn(from: number, to: number): boolean {
    const size = this.#automaton.sets.length;
    const number = ([a, b, c]: Triple) => (a * size + b) * size + c;
    const goal = number([from, to, to]);
    const seen = new Set([number([from, from, to])]);
    const queue: Triple[] = [[from, from, to]];
    for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
      if (seen.size > TRIPLE_STEPS_MAX) return false;
      for (const next of this.#triples(state)) {
        const key = number(next);
        if (key === goal) return true;
        if (!seen.has(key)) queue.push(next);
        seen.add(key);
      }
    }
    return false;
  }

  /** Where three walks can be after one more character that all of them read. */
  *#triples([a, b, c]: Triple): Iterable<Triple> {
    for (const [na, nc, shared] of this.#steps(a, c))
      for (const nb of this.#next(b).keys())
        if ((shared & this.#readsFrom(b, nb)) !== 0n) yield [na, nb, nc];
  }

  /** Steps of two walks that stay in their loops, with the characters that both can read. */
  *#steps(a: number, c: number): Iterable<[number, number, bigint]> {
    const inside = (node: number) =>
      [...this.#next(node).keys()].filter(
        (next) => this.#component[next] === this.#component[node],
      );
    const [lefts, rights] = [inside(a), inside(c)];
    for (const na of lefts)
      for (const nc of rights) {
        const shared = this.#readsFrom(a, na) & this.#readsFrom(c, nc);
        if (shared !== 0n) yield [na, nc, shared];
      }
  }
}

type Triple = readonly [number, number, number];
