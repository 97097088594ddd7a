import type { FileOutcome, Found } from "../../scan/index.ts";
import type { Finding } from "../../schema/finding.ts";
import type { Gap } from "../../schema/review.ts";

const WHY_CHARS_MAX = 500;

/** What one built-in reviewer found, and what it could not look at. */
export interface BuiltInOutcome {
  readonly name: string;
  readonly role: string;
  readonly prefix: string;
  readonly findings: readonly Finding[];
  readonly filesGiven: number;
  readonly filesRead: number;
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
  /** Whether all of it is about the change, also where no line that the change brought is cited. */
  readonly isAboutChange?: true;
  /** Files that it took by their name and did not look into. */
  readonly missed: readonly string[];
  /** The review ended before it could be known to be done. */
  readonly isStopped: boolean;
}

/** What is known of one reviewer while it works. */
export interface Tally {
  readonly name: string;
  readonly role: string;
  readonly prefix: string;
  readonly found: Found[];
  readonly gaps: Gap[];
  /** What it never looks at, where that matters for what it was given. */
  readonly notes: string[];
  readonly missed: string[];
  readonly isStopped: boolean;
  given: number;
  read: number;
}

export function emptyTally({ name, role, prefix }: Pick<Tally, "name" | "role" | "prefix">): Tally {
  const nothing = { found: [], gaps: [], notes: [], missed: [], isStopped: false };
  return { name, role, prefix, ...nothing, given: 0, read: 0 };
}

export function settle(tally: Tally | undefined, path: string, outcome: FileOutcome): void {
  if (!tally) return;
  if ("passedOver" in outcome) {
    tally.gaps.push(gapOf(tally, path, outcome.passedOver));
    tally.missed.push(path);
    return;
  }
  tally.given += 1;
  if ("failed" in outcome) {
    tally.gaps.push(gapOf(tally, path, outcome.failed));
    tally.missed.push(path);
    return;
  }
  tally.read += 1;
  tally.found.push(...outcome.found);
  for (const why of outcome.leftOut) tally.gaps.push(gapOf(tally, path, why));
}

/** A gap in a reviewer's own part. */
export function gapOf({ name }: Pick<Tally, "name">, what: string, why: string): Gap {
  return { what, who: name, why: why.slice(0, WHY_CHARS_MAX).toWellFormed() };
}

/** Code of a language that no reviewer of code reads. */
export const foreignGap = ([language, { length }]: readonly [string, readonly string[]]): Gap => ({
  what: `${language} code, ${length} ${length === 1 ? "file" : "files"}`,
  why: "no reviewer reads this language; only secrets, duplication and documents were looked at",
});

/** Orders the findings by place, so that the same tree always gives the same numbers. */
export function toOutcome({ found, given, read, ...tally }: Tally): BuiltInOutcome {
  const sorted = found.toSorted((a, b) => compare(placeOf(a), placeOf(b)));
  const findings = sorted.map((one, index) => ({
    ...one,
    id: `${tally.prefix}-${String(index + 1).padStart(3, "0")}`,
  }));
  return { ...tally, findings, filesGiven: given, filesRead: read };
}

function placeOf({ citations, category }: Found): readonly [string, number, string] {
  return [citations[0]?.file ?? "", citations[0]?.line ?? 0, category];
}

function compare(a: ReturnType<typeof placeOf>, b: ReturnType<typeof placeOf>): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);
}
