import type { SeenTest } from "./seen-test.ts";
import { tapTests } from "./tap-report.ts";

const LINE_CHARS_MAX = 2_000;
const LINES_MAX = 500_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
const COLOURS = /\u001b\[[0-9;]*m/g;

/** How runners print one test, each with the groups that it is taken apart at. */
const FORMS: readonly {
  readonly line: RegExp;
  readonly states: Readonly<Record<string, SeenTest["state"]>>;
  readonly split: string;
}[] = [
  {
    // vitest, mocha, jest and node, for people to read.
    line: /^\s{0,200}(?<state>[✓✔√✗✖×✕]) (?<name>.+?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$/u,
    states: { "✓": "passed", "✔": "passed", "√": "passed" },
    split: " > ",
  },
  {
    line: /^(?<name>\S.*?) (?<state>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b.*$/,
    states: { PASSED: "passed", SKIPPED: "skipped", XFAIL: "skipped" },
    split: "::",
  },
  {
    // pytest -rA
    line: /^(?<state>PASSED|FAILED|ERROR) (?<name>\S+?::\S.*?)(?: - .*)?$/,
    states: { PASSED: "passed" },
    split: "::",
  },
  {
    line: /^\s{0,200}--- (?<state>PASS|FAIL|SKIP): (?<name>\S+) \(.*\)$/,
    states: { PASS: "passed", SKIP: "skipped" },
    split: "/",
  },
  {
    // cargo
    line: /^test (?<name>\S+) \.\.\. (?<state>ok|FAILED|ignored)\b.*$/,
    states: { ok: "passed", ignored: "skipped" },
    split: "::",
  },
  {
    // unittest -v
    line: /^(?<name>\w+) \((?<group>[\w.]+)\)(?:.*)? \.\.\. (?<state>ok|FAIL|ERROR|skipped|expected failure)\b.*$/,
    states: { ok: "passed", skipped: "skipped", "expected failure": "skipped" },
    split: "\0",
  },
];

/** How unittest begins a test that says something about itself: how it went stands on the next line. */
const DESCRIBED = /^\w{1,200} \([\w.]{1,500}\)$/;

/** The tests that a runner printed by name; what is not known to be well has failed. */
export function printedTests(text: string): SeenTest[] {
  const plain = text.replace(COLOURS, "");
  const tests: SeenTest[] = [];
  let described = "";
  for (const raw of plain.split(/\r?\n/, LINES_MAX)) {
    if (raw.length > LINE_CHARS_MAX) continue;
    const line = raw.trimEnd();
    const test = testOf(described + line);
    if (test !== undefined) tests.push(test);
    described = DESCRIBED.test(line) ? `${line} ` : "";
  }
  return [...tapTests(plain), ...tests];
}

function testOf(line: string): SeenTest | undefined {
  for (const { line: form, states, split } of FORMS) {
    const { name, state = "", group } = form.exec(line)?.groups ?? {};
    if (name === undefined) continue;
    const groups = group === undefined ? [] : group.split(".").filter((part) => part !== name);
    return { path: [...groups, ...name.split(split)], state: states[state] ?? "failed" };
  }
  return undefined;
}
