import type { TestCounts } from "../../schema/observation.ts";

export type Sum = Omit<TestCounts, "form" | "unit" | "parts">;

/** Reads one line of what a runner printed. */
export interface Form {
  readonly name: string;
  readonly unit?: TestCounts["unit"];
  /** Whether each such line counts, rather than the last of them. */
  readonly isSum?: boolean;
  /** Whether a later line of one run includes those before it. */
  readonly isNested?: boolean;
  readonly start: RegExp;
  counts(line: string): Partial<Sum>;
}

/** The number that a pattern finds; nought where it finds none. */
export const word = (line: string, pattern: RegExp): number => Number(pattern.exec(line)?.[1] ?? 0);

/** Of those that only say how many there were in all. */
function ofAll(all: number, failed: number, skipped: number): Sum {
  return { passed: Math.max(0, all - failed - skipped), failed, skipped };
}

/** How runners of other languages sum up, each in its own words. */
export const OTHER_RUNNERS: readonly Form[] = [
  {
    name: "surefire",
    isSum: true,
    start: /^(?:\[\w+\] +)?Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$/,
    counts: (line) =>
      ofAll(
        word(line, /run: (\d+)/),
        word(line, /Failures: (\d+)/) + word(line, /Errors: (\d+)/),
        word(line, /Skipped: (\d+)/),
      ),
  },
  {
    name: "rspec",
    start: /^\d+ examples?, \d+ failures?(?:, |$)/,
    counts: (line) =>
      ofAll(word(line, /^(\d+) ex/), word(line, /(\d+) failures?/), word(line, /(\d+) pending/)),
  },
  {
    name: "minitest",
    isSum: true,
    start: /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors, \d+ (?:skips|pendings)/,
    counts: (line) =>
      ofAll(
        word(line, /^(\d+) /),
        word(line, /(\d+) failures/) + word(line, /(\d+) errors/),
        word(line, /(\d+) (?:skips|pendings)/),
      ),
  },
  {
    name: "exunit",
    isSum: true,
    start:
      /^(?:\d+ doctests?, )?(?:\d+ propert(?:y|ies), )?\d+ tests?, \d+ failures?(?:, \d+ \w+)*$/,
    counts: (line) =>
      ofAll(
        word(line, /(\d+) tests?/) + word(line, /(\d+) doctests?/) + word(line, /(\d+) propert/),
        word(line, /(\d+) failures?/),
        word(line, /(\d+) skipped/) + word(line, /(\d+) excluded/),
      ),
  },
  {
    name: "phpunit",
    start: /^OK \(\d+ tests?, \d+ assertions?\)$|^Tests: \d+, Assertions: \d+/,
    counts: (line) =>
      ofAll(
        word(line, /\((\d+) tests?/) || word(line, /^Tests: (\d+)/),
        word(line, /Failures: (\d+)/) + word(line, /Errors: (\d+)/),
        word(line, /Skipped: (\d+)/) + word(line, /Incomplete: (\d+)/),
      ),
  },
  {
    name: "dotnet",
    isSum: true,
    start: /^ *(?:Passed|Failed)! +- Failed: +\d+, Passed: +\d+, Skipped: +\d+/,
    counts: (line) => ({
      passed: word(line, /Passed: +(\d+)/),
      failed: word(line, /Failed: +(\d+)/),
      skipped: word(line, /Skipped: +(\d+)/),
    }),
  },
  {
    name: "ctest",
    start: /^\d+% tests passed, \d+ tests? failed out of \d+/,
    counts: (line) => ofAll(word(line, /out of (\d+)/), word(line, /(\d+) tests? failed/), 0),
  },
  {
    name: "googletest",
    isSum: true,
    start: /^\[ {2}(?:PASSED|FAILED|SKIPPED) {1,2}\] \d+ tests?[.,]/,
    counts: (line) => ({
      passed: word(line, /PASSED +\] (\d+)/),
      failed: word(line, /FAILED +\] (\d+)/),
      skipped: word(line, /SKIPPED +\] (\d+)/),
    }),
  },
  {
    name: "swift",
    isNested: true,
    start: /^\s*Executed \d+ tests?, with /,
    counts: (line) =>
      ofAll(
        word(line, /Executed (\d+)/),
        word(line, /(\d+) failures?/),
        word(line, /(\d+) tests? skipped/),
      ),
  },
  {
    name: "deno",
    isSum: true,
    start: /^(?:ok|FAILED) \| \d+ passed/,
    counts: (line) => ({
      passed: word(line, /(\d+) passed/),
      failed: word(line, /(\d+) failed/),
      skipped: word(line, /(\d+) ignored/),
    }),
  },
  {
    name: "bun",
    isSum: true,
    start: /^ \d+ (?:pass|fail|skip|todo)$/,
    counts: (line) => ({
      passed: word(line, /(\d+) pass/),
      failed: word(line, /(\d+) fail/),
      skipped: word(line, /(\d+) (?:skip|todo)/),
    }),
  },
  {
    name: "playwright",
    isSum: true,
    start: /^ {2}\d+ (?:passed|failed|flaky|skipped|did not run)(?: \([\d.]+\w+\))?$/,
    counts: (line) => ({
      passed: word(line, /(\d+) (?:passed|flaky)/),
      failed: word(line, /(\d+) failed/),
      skipped: word(line, /(\d+) (?:skipped|did not run)/),
    }),
  },
  {
    name: "nextest",
    start: /^\s*Summary \[ *[\d.]+s\] \d+(?:\/\d+)? tests? run: /,
    counts: (line) => ({
      passed: word(line, /(\d+) passed/),
      failed: word(line, /(\d+) failed/),
      skipped: word(line, /(\d+) skipped/),
    }),
  },
  {
    name: "automake",
    isSum: true,
    start: /^# (?:PASS|FAIL|XFAIL|XPASS|ERROR|SKIP): +\d+$/,
    counts: (line) => ({
      passed: word(line, /# PASS: +(\d+)/) + word(line, /XFAIL: +(\d+)/),
      failed: word(line, /# FAIL: +(\d+)/) + word(line, /(?:XPASS|ERROR): +(\d+)/),
      skipped: word(line, /SKIP: +(\d+)/),
    }),
  },
  {
    name: "prove",
    isSum: true,
    start: /^Files=\d+, Tests=\d+|^Failed \d+\/\d+ subtests/,
    // What failed is said before, and is in the sum as well.
    counts: (line) => {
      const failed = word(line, /^Failed (\d+)/);
      return { passed: word(line, /Tests=(\d+)/) - failed, failed };
    },
  },
];
