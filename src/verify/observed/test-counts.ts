import type { TestCounts } from "../../schema/observation.ts";
import { type Form, OTHER_RUNNERS, type Sum, word } from "./other-runners.ts";
import { fromMarkup } from "./test-markup.ts";

/** Of what was printed, the end: that is where runners sum up. */
const CHARS_MAX = 4_000_000;
const LINE_CHARS_MAX = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
const COLOURS = /\u001b\[[0-9;]*m/g;

const one = (name: keyof Sum) => () => ({ [name]: 1 });

/** The forms, the more telling ones first: what a runner sums up counts more than its single lines. */
const FORMS: readonly Form[] = [
  {
    name: "vitest",
    start: /^ *Tests {2}\d/,
    counts: (line) => ({
      passed: word(line, /(\d+) passed/),
      failed: word(line, /(\d+) failed/),
      skipped: word(line, /(\d+) skipped/) + word(line, /(\d+) todo/),
    }),
  },
  {
    name: "jest",
    start: /^Tests: {3,}\d.* total$/,
    counts: (line) => ({
      passed: word(line, /(\d+) passed/),
      failed: word(line, /(\d+) failed/),
      skipped: word(line, /(\d+) skipped/) + word(line, /(\d+) todo/),
    }),
  },
  {
    name: "pytest",
    start:
      /^(?:=+ )?\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?)\b.* in \d[\d.]*s/,
    counts: (line) => ({
      passed: word(line, /(\d+) passed/) + word(line, /(\d+) xpassed/),
      failed: word(line, /(\d+) failed/) + word(line, /(\d+) errors?\b/),
      skipped: word(line, /(\d+) skipped/) + word(line, /(\d+) xfailed/),
    }),
  },
  {
    name: "cargo",
    isSum: true,
    start: /^test result: (?:ok|FAILED)\. \d/,
    counts: (line) => ({
      passed: word(line, /(\d+) passed/),
      failed: word(line, /(\d+) failed/),
      skipped: word(line, /(\d+) ignored/),
    }),
  },
  { name: "go", isSum: true, start: /^--- PASS: /, counts: one("passed") },
  { name: "go", isSum: true, start: /^--- FAIL: /, counts: one("failed") },
  { name: "go", isSum: true, start: /^--- SKIP: /, counts: one("skipped") },
  {
    name: "mocha",
    isSum: true,
    start: /^ {2}\d+ (?:passing \(|failing$|pending$)/,
    counts: (line) => ({
      passed: word(line, /(\d+) passing/),
      failed: word(line, /(\d+) failing/),
      skipped: word(line, /(\d+) pending/),
    }),
  },
  {
    name: "node:test",
    isSum: true,
    start: /^(?:#|ℹ) (?:pass|fail|cancelled|skipped|todo) \d+$/,
    counts: (line) => ({
      passed: word(line, /pass (\d+)$/),
      failed: word(line, /fail (\d+)$/) + word(line, /cancelled (\d+)$/),
      skipped: word(line, /skipped (\d+)$/) + word(line, /todo (\d+)$/),
    }),
  },
  ...OTHER_RUNNERS,
  { name: "tap", isSum: true, start: /^ok \d+\b.*# (?:SKIP|TODO)/i, counts: one("skipped") },
  { name: "tap", isSum: true, start: /^ok \d+\b/, counts: one("passed") },
  { name: "tap", isSum: true, start: /^not ok \d+\b/, counts: one("failed") },
  {
    name: "go",
    unit: "package",
    isSum: true,
    start: /^ok {2}\t\S+\t(?!.*\[no tests to run\])/,
    counts: one("passed"),
  },
  { name: "go", unit: "package", isSum: true, start: /^FAIL\t\S+\t/, counts: one("failed") },
];

/** Runners whose lines make one summary; where it says so, a line that each of their runs has once. */
const SUMMED: Readonly<Record<string, RegExp | undefined>> = {
  ...{ cargo: undefined, swift: undefined },
  mocha: /^ {2}\d+ passing \(/,
  "node:test": /^(?:#|ℹ) pass \d+$/,
};
const PARTS_MAX = 1_000;

/**
 * What a test runner's own words say it ran. It is only as true as the program that printed it:
 * whether that was a test runner at all is another question.
 */
export function testCounts(printed: string): TestCounts | undefined {
  const text = printed.slice(-CHARS_MAX).replace(COLOURS, "");
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, LINE_CHARS_MAX));
  const counts = countsIn(lines, text);
  const parts = partsIn(lines);
  return counts === undefined || parts === undefined ? counts : { ...counts, parts };
}

function countsIn(lines: readonly string[], text: string): TestCounts | undefined {
  const unittest = fromUnittest(lines).at(-1);
  if (unittest) return { form: "unittest", unit: "test", ...unittest };
  const markup = fromMarkup(text);
  if (markup) return markup;
  for (const { name, unit } of FORMS) {
    const own = FORMS.filter((form) => form.name === name && form.unit === unit);
    const found = sumOf(lines, own);
    if (found) return { form: name, unit: unit ?? "test", ...found };
  }
  return undefined;
}

/** What several runners counted that were started one after the other; undefined where it was one. */
function partsIn(lines: readonly string[]): TestCounts["parts"] {
  const single = FORMS.filter(({ isSum, isNested }) => isSum !== true && isNested !== true);
  const each = lines.flatMap(
    (line) => single.find(({ start }) => start.test(line))?.counts(line) ?? [],
  );
  const sums = Object.entries(SUMMED).flatMap(([name, once]) => {
    const forms = FORMS.filter((form) => form.name === name);
    return runsIn(lines, once).flatMap((run) => sumOf(run, forms) ?? []);
  });
  const parts = [...fromUnittest(lines), ...each, ...sums].slice(0, PARTS_MAX);
  if (parts.length < 2) return undefined;
  return parts.map(({ passed = 0, failed = 0 }) => ({ passed, failed }));
}

/** What each run printed, from the line on that it has once. */
function runsIn(lines: readonly string[], once: RegExp | undefined): (readonly string[])[] {
  const starts = lines.flatMap((line, at) => (once?.test(line) ? [at] : []));
  if (starts.length < 2) return [lines];
  return starts
    .slice(0, PARTS_MAX)
    .map((start, index) => lines.slice(index === 0 ? 0 : start, starts[index + 1]));
}

function sumOf(lines: readonly string[], forms: readonly Form[]): Sum | undefined {
  let sum: Sum | undefined;
  for (const line of lines) {
    const form = forms.find(({ start }) => start.test(line));
    if (form === undefined) continue;
    const { passed = 0, failed = 0, skipped = 0 } = form.counts(line);
    const before = form.isSum && sum ? sum : { passed: 0, failed: 0, skipped: 0 };
    sum = {
      passed: before.passed + passed,
      failed: before.failed + failed,
      skipped: before.skipped + skipped,
    };
  }
  return sum;
}

/** Two lines: how many ran, and behind it how that went. */
function fromUnittest(lines: readonly string[]): Sum[] {
  const found: Sum[] = [];
  let ran: number | undefined;
  for (const line of lines) {
    if (/^Ran \d+ tests? in \d/.test(line)) ran = word(line, /^Ran (\d+)/);
    if (ran === undefined || !/^(?:OK|FAILED)\b/.test(line)) continue;
    const failed = word(line, /failures=(\d+)/) + word(line, /errors=(\d+)/);
    const skipped = word(line, /skipped=(\d+)/);
    found.push({ passed: Math.max(0, ran - failed - skipped), failed, skipped });
    ran = undefined;
  }
  return found;
}
