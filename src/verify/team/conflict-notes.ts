import { placeOf } from "./merge-findings.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** How near two statements must be to be about one place. */
const NEAR_LINES = 5;
/** A reviewer that floods one line with findings costs no more than this. */
const COMPARISONS_MAX = 200_000;
const TEXT_CHARS_MAX = 1_000;
const SUBJECT_LETTERS_MIN = 4;

/** Words that contradict each other when they are said of one thing. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["add", "remove"],
  ["add", "delete"],
  ["missing", "unnecessary"],
  ["missing", "redundant"],
  ["unsafe", "safe"],
  ["vulnerable", "safe"],
  ["vulnerable", "harmless"],
  ["invalid", "valid"],
  ["incorrect", "correct"],
  ["wrong", "right"],
  ["enable", "disable"],
  ["allow", "forbid"],
  ["always", "never"],
  ["increase", "decrease"],
  ["required", "optional"],
  ["unused", "used"],
  ["unescaped", "escaped"],
  ["unsanitized", "sanitized"],
  ["unvalidated", "validated"],
  ["unchecked", "checked"],
];
const BOTH_WAYS = OPPOSITES.flatMap(([x, y]) => [[x, y] as const, [y, x] as const]);
const OPPOSING = new Set(OPPOSITES.flat());
/** Too common to be what two statements are about. */
const COMMON =
  "about against before code could does each every file from function have here into line must only should that their them then there this value what when where which will with would".split(
    " ",
  );

interface Statement {
  readonly by: string;
  readonly file: string;
  readonly line: number;
  readonly words: ReadonlySet<string>;
}

/**
 * Pairs of reviewers that seem to say opposite things of one place. It goes by words, so it is a
 * hint for a person and decides nothing.
 */
export function conflictNotes(reviewers: readonly ReviewerFindings[]): string[] {
  const statements = reviewers.flatMap(statementsOf).toSorted(byPlace);
  const notes = new Set<string>();
  let comparisons = 0;
  for (const [a, b] of nearPairs(statements)) {
    if (++comparisons > COMPARISONS_MAX) return [...notes, "too many findings to compare them all"];
    const note = opposition(a, b);
    if (note !== undefined) notes.add(note);
  }
  return [...notes];
}

/** Statements about one place; expects them sorted by place. */
function* nearPairs(sorted: readonly Statement[]): Generator<readonly [Statement, Statement]> {
  for (const [index, a] of sorted.entries()) {
    for (let next = index + 1; next < sorted.length; next++) {
      const b = sorted[next] as Statement;
      if (b.file !== a.file || b.line - a.line > NEAR_LINES) break;
      yield [a, b];
    }
  }
}

function statementsOf({ name, findings }: ReviewerFindings): Statement[] {
  return findings
    .filter(({ verdict }) => verdict !== "HALLUCINATED")
    .map((checked) => {
      const { title, issue = "", fix = "" } = checked.finding;
      const text = `${title}\n${issue}\n${fix}`.slice(0, TEXT_CHARS_MAX).toLowerCase();
      return { by: name, ...placeOf(checked), words: new Set(text.match(/[a-z0-9_]{1,64}/g)) };
    });
}

function byPlace(a: Statement, b: Statement): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || (a.by < b.by ? -1 : a.by > b.by ? 1 : 0);
}

function opposition(a: Statement, b: Statement): string | undefined {
  if (a.by === b.by) return undefined;
  const opposed = BOTH_WAYS.find(([x, y]) => says(a, x, y) && says(b, y, x));
  if (opposed === undefined) return undefined;
  const subject = [...a.words].find((word) => isSubject(word) && b.words.has(word));
  if (subject === undefined) return undefined;
  return `${a.file.slice(0, 500)}:${a.line}: ${a.by} says "${opposed[0]}" and ${b.by} says "${opposed[1]}" of "${subject}"`;
}

const says = ({ words }: Statement, word: string, opposite: string): boolean =>
  words.has(word) && !words.has(opposite);

const isSubject = (word: string): boolean =>
  word.length >= SUBJECT_LETTERS_MIN && !OPPOSING.has(word) && !COMMON.includes(word);
