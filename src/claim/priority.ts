import type { Priority } from "../schema/finding.ts";

const WORDS: ReadonlyMap<string, Priority> = new Map(
  (
    [
      ["P1", "p0 p1 critical blocker blockers blocking severe fatal error errors"],
      ["P2", "p2 high major important warning warnings serious"],
      ["P3", "p3 p4 medium moderate low minor info informational note nit nits trivial advice"],
    ] as const
  ).flatMap(([priority, words]) => words.split(" ").map((word) => [word, priority] as const)),
);
/** Words that may stand beside a priority in a heading; any other makes it a title of its own. */
const COMPANIONS = new Set(
  "priority severity findings finding issues issue problems risk risks impact bugs must should fix and or".split(
    " ",
  ),
);
const wordsOf = (text: string): string[] =>
  text.toLowerCase().match(/[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? [];

/** The priority that one word stands for: `High`, `P2`, `blocker`. */
export function priorityOfWord(word: string): Priority | undefined {
  return WORDS.get(word.toLowerCase());
}

/** The first priority named in a short text such as a table cell or a field. */
export function priorityIn(text: string): Priority | undefined {
  for (const word of wordsOf(text.slice(0, 200))) {
    const priority = WORDS.get(word);
    if (priority !== undefined) return priority;
  }
  return undefined;
}

/** The priority of a section, if the heading says nothing else: `P1 (Critical)`, `High priority`. */
export function priorityOfHeading(title: string): Priority | undefined {
  if (title.length > 100) return undefined;
  const words = wordsOf(title).filter((word) => !/^\d+$/.test(word));
  const named = words.filter((word) => WORDS.has(word));
  // A "Note" or "Errors" alone heads other things; only words that can mean nothing else count.
  if (named.length === 0 || words.some((word) => !WORDS.has(word) && !COMPANIONS.has(word))) {
    return undefined;
  }
  const isAmbiguous = named.every((word) => /^(?:note|info|errors?|advice)$/.test(word));
  return isAmbiguous && words.length === 1 ? undefined : WORDS.get(named[0] ?? "");
}

const LEVELS = new Map([
  ["high", 90],
  ["medium", 70],
  ["low", 50],
]);

/** Confidence in points, from `0.85`, `85%`, `85`, `8/10` or a word. */
export function confidenceIn(text: string): number | undefined {
  const word = /\b(?:very )?(high|medium|low)\b/i.exec(text.slice(0, 200));
  const number = /(\d{1,3}(?:\.\d{1,6})?)\s?(%|\/\s?(?:10|100|5)\b)?/.exec(text.slice(0, 200));
  if (number === null) return word === null ? undefined : LEVELS.get((word[1] ?? "").toLowerCase());
  const value = Number(number[1]);
  const unit = number[2] ?? "";
  const points = unit.startsWith("/")
    ? (value / Number(unit.slice(1))) * 100
    : inPoints(value, unit);
  return points <= 100 ? Math.round(points) : undefined;
}

const inPoints = (value: number, unit: string): number =>
  unit === "" && value <= 1 ? value * 100 : value;
