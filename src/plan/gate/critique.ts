import type { Violation } from "./gate-report.ts";

const WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];
const COUNTED = new RegExp(
  `\\b(?<count>\\d{1,4}|no|${WORDS.join("|")})\\s+(?:(?:\\w+\\s+)?gaps?|(?:were\\s+)?found)\\b`,
  "giu",
);

/**
 * How many gaps a summary says its critique found; undefined where it gives no number. Of several
 * numbers the largest counts: how many are left is another thing than how many were found.
 */
export function gapsIn(summary: string): number | undefined {
  const counts = [...summary.matchAll(COUNTED)].map((match) => toNumber(match.groups?.["count"]));
  return counts.length === 0 ? undefined : Math.max(...counts);
}

function toNumber(count = ""): number {
  if (/^no$/i.test(count)) return 0;
  const word = WORDS.indexOf(count.toLowerCase());
  return word >= 0 ? word : Number(count);
}

/**
 * How many gaps count, and what is wrong with how the plan tells it. A recorded round is believed
 * before the plan's own summary.
 */
export function countGaps(
  summary: string,
  recorded: number | undefined,
): { readonly gaps: number; readonly violations: readonly Violation[] } {
  const path = "cove_critique_summary";
  const said = gapsIn(summary);
  if (said === undefined) {
    const message = `it does not say how many gaps the critique found: write "${recorded ?? 2} gaps found and patched"`;
    return { gaps: recorded ?? 0, violations: [{ rule: "law-06", path, message }] };
  }
  if (recorded === undefined || recorded === said) return { gaps: said, violations: [] };
  const message = `it says ${said} gaps, and the recorded critique round found ${recorded}`;
  return { gaps: recorded, violations: [{ rule: "law-06", path, message }] };
}
