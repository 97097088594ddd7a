import type { SaidWork } from "../../claim/index.ts";
import { isPartialRun, runsCheck, testCounts, testRunnerOf } from "../../verify/observed/index.ts";
import type { Call } from "./calls.ts";

/** What is wrong with something that was said; undefined where nothing is. */
export type Judged = { readonly isRefuted: boolean; readonly why: string } | undefined;

type SaidTests = Extract<SaidWork, { kind: "tests" }>;

const SHOWN_CHARS_MAX = 200;
/** Of some tests it can be true that they pass while others fail. */
const OF_SOME =
  /\b(?:new|added|my|own|these|those|this|relevant|related|affected|other|some|most|remaining|first|\d{1,7})\b/i;
/** What a shell does with what is printed. */
const REDIRECTED = /\d?>>?\s?(?:&\d|[^\s;&|]+)|2>&1/g;
const PARTS = /&&|\|\||[;|&\n()]/;
/** What stands before a command in a shell: `CI=1`. */
const SETTING = /^\w+=/;
/** Then what ran may be other than what lies there now: tests are shown to fail without a change, too. */
const MOVES = /\bgit\s(?:-\S+\s\S*\s?)?(?:stash|checkout|restore|switch|worktree|reset|revert)\b/;
const CALLS_NEAR = 4;
/** What is committed was changed before, and not after. */
const OF_WHAT_IS_DONE = /^(?:commit|push|pull request|tag)$/;

const open = (why: string) => ({ isRefuted: false, why });

/** Holds what is said of tests against the last test run that the session's record shows. */
export function judgeTests(said: SaidTests, calls: readonly Call[]): Judged {
  const at = calls.findLastIndex((call) => testsOf(call).length > 0);
  const last = calls[at];
  if (last === undefined) return open("nothing here shows that a test was run");
  const what = `\`${shown(last)}\`, the last test run that is shown`;
  const counts = testCounts(last.printed ?? "");
  const failed = counts?.failed ?? 0;
  if (last.isWell === false || failed > 0) {
    const near = calls.slice(Math.max(0, at - CALLS_NEAR));
    const isSure = (failed > 0 || endsWithTests(last)) && !near.some(isMoving);
    const how = failed > 0 ? `had ${failed} that failed` : "failed";
    return { isRefuted: isSure && isOfWhole(said), why: `${what}, ${how}` };
  }
  if (calls.slice(at + 1).some(({ command }) => command === undefined)) {
    return open(`files were changed after ${what}`);
  }
  const why = whyTooFew(said, last, counts);
  return why === undefined ? undefined : open(`${what}, ${why}`);
}

/** Why tests that pass are not those that were said to. */
function whyTooFew(
  { isOfAll, count = 0 }: SaidTests,
  last: Call,
  counts: ReturnType<typeof testCounts>,
): string | undefined {
  if (counts?.passed === 0) return "ran no test";
  if (isOfAll && testsOf(last).every((words) => isPartialRun(words, "")))
    return "ran a part of the tests";
  const isOther = counts?.unit === "test" && count > counts.passed;
  return isOther ? `passed ${counts.passed}, not ${count}` : undefined;
}

/** Of some tests it can be true that they pass, whatever the others do; of all checks they say little. */
const isOfWhole = (said: SaidTests): boolean =>
  said.isOfChecks !== true && (said.isOfAll || !OF_SOME.test(said.text));

const isMoving = ({ command = "" }: Call): boolean => MOVES.test(command);

const shown = ({ command = "" }: Call): string => command.slice(0, SHOWN_CHARS_MAX);

/** The commands of a line as a person types it, each in its words. */
function partsOf({ command = "" }: Call): string[][] {
  const parts = command.replace(REDIRECTED, " ").split(PARTS);
  return parts
    .map((part) => part.split(/\s+/).filter((word) => word !== "" && !SETTING.test(word)))
    .filter((words) => words.length > 0);
}

const testsOf = (call: Call): string[][] =>
  partsOf(call).filter((words) => testRunnerOf(words) !== undefined);

/** Otherwise it is another command that failed. */
const endsWithTests = (call: Call): boolean =>
  testRunnerOf(partsOf(call).at(-1) ?? []) !== undefined;

/** Holds what is said of a build, a linter and the like against what the record shows. */
export function judgeCheck(
  { check }: Extract<SaidWork, { kind: "check" }>,
  calls: readonly Call[],
): Judged {
  const at = calls.findLastIndex((call) => partsOf(call).some((words) => runsCheck(check, words)));
  const last = calls[at];
  if (last === undefined) {
    return open(
      check === "test run"
        ? "nothing here shows that a test was run"
        : `nothing here shows it (${check})`,
    );
  }
  // Tests that failed, or that ran before something else was changed, were run all the same.
  if (check === "test run") return undefined;
  if (last.isWell === false) return open(`\`${shown(last)}\` was run, and failed`);
  const isAfter =
    !OF_WHAT_IS_DONE.test(check) && calls.slice(at + 1).some((one) => one.command === undefined);
  return isAfter ? open(`files were changed after \`${shown(last)}\``) : undefined;
}

/** Holds what is said of a command against what the record shows of it. */
export function judgeCommand(
  { command, isPassed }: Extract<SaidWork, { kind: "command" }>,
  calls: readonly Call[],
): Judged {
  const last = calls.findLast((call) => call.command?.includes(command) === true);
  const why = `nothing here shows that \`${command}\` was run`;
  if (last === undefined) return { isRefuted: false, why };
  if (isPassed !== true || last.isWell !== false) return undefined;
  // Of several commands in one line another one may have failed.
  const isRefuted = last.command?.trim() === command;
  return { isRefuted, why: `\`${shown(last)}\` was run, and failed` };
}
