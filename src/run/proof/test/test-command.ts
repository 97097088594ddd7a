import { basename } from "node:path";
import { WORKSPACE } from "../../../schema/execution.ts";
import { jsonTests } from "./json-report.ts";
import { junitTests } from "./junit-report.ts";
import { printedTests } from "./printed-tests.ts";
import type { SeenTest } from "./seen-test.ts";
import { tapTests } from "./tap-report.ts";

/** A command that runs tests, and how it is found out which. */
export interface TestCommand {
  readonly argv: readonly string[];
  /** The name of the report in the output folder; without one, what is printed is read. */
  readonly report: string | undefined;
  /** Undefined when it is no report of this kind. */
  read(text: string): SeenTest[] | undefined;
}

/** The runners that are known by their reports. */
export type Runner = "vitest" | "jest" | "mocha" | "node" | "pytest" | "unittest";

const JSON_NAME = "tests.json";
const XML_NAME = "tests.xml";
const TAP_NAME = "tests.tap";
const json = `${WORKSPACE.output}/${JSON_NAME}`;
const xml = `${WORKSPACE.output}/${XML_NAME}`;
const tap = `${WORKSPACE.output}/${TAP_NAME}`;

/** What makes each runner write a report that a program can read, beside what it prints for people. */
const REPORTING: Readonly<Record<Exclude<Runner, "unittest">, readonly string[]>> = {
  vitest: ["--reporter=default", "--reporter=json", `--outputFile.json=${json}`],
  jest: ["--json", `--outputFile=${json}`],
  mocha: ["--reporter", "xunit", "--reporter-option", `output=${xml}`],
  node: [
    ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
    ...["--test-reporter=tap", `--test-reporter-destination=${tap}`],
  ],
  pytest: [`--junitxml=${xml}`],
};

const READERS: Readonly<Record<keyof typeof REPORTING, Omit<TestCommand, "argv">>> = {
  vitest: { report: JSON_NAME, read: jsonTests },
  jest: { report: JSON_NAME, read: jsonTests },
  mocha: { report: XML_NAME, read: junitTests },
  node: { report: TAP_NAME, read: tapTests },
  pytest: { report: XML_NAME, read: junitTests },
};

/** How each runner is started on files, from what the project has installed. */
const STARTS: Readonly<Record<Runner, (files: readonly string[]) => string[]>> = {
  vitest: (files) => ["node", "node_modules/vitest/vitest.mjs", "run", ...files],
  jest: (files) => ["node", "node_modules/jest/bin/jest.js", "--ci", ...byPath(files)],
  mocha: (files) => ["node", "node_modules/mocha/bin/mocha.js", ...files],
  node: (files) => ["node", "--test", ...files],
  pytest: (files) => ["python3", "-B", "-m", "pytest", "-p", "no:cacheprovider", ...files],
  unittest: (files) => ["python3", "-B", "-m", "unittest", "-v", ...files],
};

/** The command of a runner for some files of the project. */
export function commandFor(runner: Runner, files: readonly string[]): TestCommand {
  return reporting(runner, STARTS[runner](files.map(asPath)));
}

/** A command that somebody wrote down: a runner that it names is asked for a report of its own. */
export function commandOf(argv: readonly string[]): TestCommand {
  return reporting(runnerOf(argv), argv);
}

function reporting(runner: Runner | undefined, argv: readonly string[]): TestCommand {
  if (runner === undefined || runner === "unittest") {
    return { argv, report: undefined, read: printedTests };
  }
  const more = REPORTING[runner];
  // Node's own settings end where its files begin.
  const at = runner === "node" ? argv.indexOf("--test") + 1 : endOfSettings(argv);
  return {
    argv: [...argv.slice(0, at), ...more, ...argv.slice(at)],
    ...READERS[runner],
  };
}

function endOfSettings(argv: readonly string[]): number {
  const at = argv.indexOf("--");
  return at < 0 ? argv.length : at;
}

/** The runner that a command is, where it starts one itself: a script may do anything before and after. */
export function runnerOf(argv: readonly string[]): Runner | undefined {
  const [program = "", ...rest] = argv;
  const name = basename(program);
  if (name === "node" && rest.includes("--test")) return "node";
  if (/^python3?(?:\.\d+)?$/.test(name)) {
    const module = rest[rest.indexOf("-m") + 1];
    return module === "pytest" || module === "unittest" ? module : undefined;
  }
  const started = name === "npx" || name === "node" ? (rest.find(isWord) ?? "") : program;
  return (["vitest", "jest", "mocha", "pytest"] as const).find(
    (one) => basename(started).replace(/\.[cm]?js$/, "") === one,
  );
}

function isWord(argument: string): boolean {
  return !argument.startsWith("-");
}

function byPath(files: readonly string[]): string[] {
  return files.length === 0 ? [] : ["--runTestsByPath", ...files];
}

/** A file whose name begins with a dash would be a setting. */
function asPath(file: string): string {
  return file.startsWith("-") ? `./${file}` : file;
}
