import { basename } from "node:path";
import { testRunnerOf } from "./test-runner.ts";

/** Settings that leave tests out, with most runners and under most names. */
const NARROWS =
  /^(?:-t|-k|-g|-m|-o|-p|-R|-run|--run|--grep|-grep|--fgrep|-f|--filter|--test-name-pattern|--test-skip-pattern|--test-only|--testNamePattern|--test-name|--testPathPatterns?|--onlyChanged|--onlyFailures|--changed|--changedSince|--related|--findRelatedTests|--shard|--test-shard|--project|--lib|--bins?|--test|--doc|--package|--exclude|--lf|--last-failed|--ff|--deselect|--ignore|--tests|--tag|--tags|-tags|-short|--match|--skip|--bail)(?:=|$)|^-Dtest=/;
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

/**
 * Whether a test run was told to leave tests out, by a name, a file or a pattern. Whoever ran some of the
 * tests does not know about all of them. A word that is not understood counts as one that does.
 */
export function isPartialRun(argv: readonly string[]): boolean {
  const runner = testRunnerOf(argv);
  if (runner === undefined) return true;
  const from = argv.findIndex((word) => basename(word).replace(/[\d.]+$/, "") === runner);
  const words = argv.slice(from < 0 ? 1 : from + 1);
  const harmless = HARMLESS[runner];
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
  if (!/^(?:npm|pnpm)$/.test(runner)) return words;
  const at = words.indexOf("--");
  return at < 0
    ? []
    : words.slice(at + 1).map((word) => (word.startsWith("-") ? `./${word}` : word));
}
