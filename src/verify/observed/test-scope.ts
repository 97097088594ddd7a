import { basename } from "node:path";
import { WORKSPACE } from "../../schema/execution.ts";
import { testRunnerOf } from "./test-runner.ts";

/** Settings that leave tests out, with most runners and under most names. */
const NARROWS =
  /^(?:-t|-k|-g|-m|-o|-p|-R|-run|--run|--grep|-grep|--fgrep|-f|--filter|--test-name-pattern|--test-skip-pattern|--test-only|--testNamePattern|--test-name|--testPathPatterns?|--onlyChanged|--onlyFailures|--changed|--changedSince|--related|--findRelatedTests|--shard|--test-shard|--project|--lib|--bins?|--test|--doc|--package|--exclude|--lf|--last-failed|--ff|--deselect|--ignore|--tests|--tag|--tags|-tags|-short|--match|--skip|--bail)(?:=|$)|^-Dtest=/;
/** Words that send a runner to one package of several, by its name or its folder. */
const ONE_PACKAGE =
  /^(?:-C.*|-F|-pl|-w|workspace|--(?:directory|prefix|cwd|dir|root|rootDir|workspace|filter|projects|project-dir|selectProjects|manifest-path)(?:=.*)?)$/;
/** With these runners such a word means something else. */
const NO_PACKAGE: Readonly<Record<string, RegExp>> = {
  cargo: /^--workspace$/,
  jest: /^-w$/,
  vitest: /^-w$/,
  mocha: /^-w$/,
};
/** With these runners such a setting means something else. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  node: /^--test(?:=|$)|^-[a-z]$/,
  vitest: /^--run$|^-[fp]$/,
  jest: /^-[fgkmpoR]$/,
  mocha: /^-[tkmopR]$/,
  python: /^-[mfop]$/,
  unittest: /^-[mfop]$/,
  pytest: /^-[gftoRp]$/,
  npm: /^-/,
  pnpm: /^-/,
  yarn: /^-/,
  go: /^-[a-zA-Z]$/,
  make: /^-/,
  nx: /^-t$|^--targets?/,
  ctest: /^--test|^-[tkgmopf]$/,
};
/** Words that belong to a runner, and folders that hold all tests. */
const WHOLE =
  /^(?:test|tests|run|watch|run-script|t|tst|run-many|discover|\.|\/\/\.\.\.|\.\/?\.\.\.|(?:\.\/)?(?:tests?|specs?|__tests__|src)\/?|verify|check|install|build|nextest)$/;
/** What tests of one file or folder look like, or a pattern of them. */
const FILE = /[/*]|\.[A-Za-z]{1,5}(?:::|$)/;
/** These take names of tests as they are. */
const TAKES_NAMES = new Set([
  "vitest",
  "jest",
  "mocha",
  "ava",
  "cargo",
  "rspec",
  "phpunit",
  "unittest",
]);

const TREE = `${WORKSPACE.data}/tree/`;

/** Whether a command runs tests: by its own words, or because the project says so of these words. */
export function isTestRun(argv: readonly string[], whole?: readonly string[]): boolean {
  return testRunnerOf(argv) !== undefined || isSameCommand(argv, whole);
}

/** However its program was found. */
function isSameCommand(
  argv: readonly string[],
  [program, ...rest]: readonly string[] = [],
): boolean {
  const isSame = program !== undefined && basename(argv[0] ?? "") === basename(program);
  return isSame && argv.length === rest.length + 1 && rest.every((one, at) => one === argv[at + 1]);
}

/**
 * Whether a test run was told to leave tests out, by a name, a file or a pattern, or is of one folder or
 * package of a project. Whoever ran some of the tests does not know about all of them. A word that is not
 * understood counts as one that does.
 *
 * @param cwd where it ran, as it is called inside; empty when nobody knows
 * @param whole what runs all tests, where the project says so
 */
export function isPartialRun(
  argv: readonly string[],
  cwd: string,
  whole?: readonly string[],
): boolean {
  if (cwd.startsWith(TREE)) return true;
  return !isSameCommand(argv, whole) && leavesOut(argv);
}

function leavesOut(argv: readonly string[]): boolean {
  const runner = testRunnerOf(argv);
  if (runner === undefined) return true;
  const from = argv.findIndex((word) => basename(word).replace(/[\d.]+$/, "") === runner);
  const words = argv.slice(from < 0 ? 1 : from + 1);
  const harmless = HARMLESS[runner];
  const isOne = (word: string) => ONE_PACKAGE.test(word) && NO_PACKAGE[runner]?.test(word) !== true;
  if (words.some(isOne)) return true;
  const script = words.find((word) => /^test:/.test(word));
  if (script !== undefined) return true;
  if (runner === "go" && !words.some((word) => word.endsWith("..."))) return true;
  const own = ownWords(runner, words);
  return own.some((word, at) => {
    if (word.startsWith("-")) return NARROWS.test(word) && harmless?.test(word) !== true;
    if (WHOLE.test(word)) return false;
    const isValue = /^-/.test(own[at - 1] ?? "") && !/^--test$/.test(own[at - 1] ?? "");
    return FILE.test(word)
      ? !isValue || TAKES_NAMES.has(runner)
      : TAKES_NAMES.has(runner) && !isValue;
  });
}

/** Of npm and its like only what is handed on to the script says which tests run. */
function ownWords(runner: string, words: readonly string[]): readonly string[] {
  // Cargo is told so which compiler to use.
  if (!/^(?:npm|pnpm)$/.test(runner)) return words.filter((word) => !word.startsWith("+"));
  const at = words.indexOf("--");
  return at < 0
    ? []
    : words.slice(at + 1).map((word) => (word.startsWith("-") ? `./${word}` : word));
}
