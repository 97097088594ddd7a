import type { Node } from "../syntax/index.ts";
import type { Reading } from "./reading.ts";
import type { Body, TestCase } from "./test-case.ts";

/** What stands outside of all tests of a file, as one case. */
export function outsideCase(
  statements: readonly Node[],
  reading: Reading,
  body: () => Body,
): TestCase {
  return {
    kind: "file",
    title: "outside of all tests",
    within: [],
    line: 1,
    text: statements.map((one) => reading.folded(one)).join("\n"),
    runner: "file",
    marks: [],
    rows: [],
    body,
  };
}

/** Functions of a file that hold assertions: a call of one is an assertion. */
export function helpersIn(tests: readonly TestCase[], asserting: RegExp): ReadonlySet<string> {
  return new Set(
    tests
      .filter(({ kind, text }) => kind === "plain" && asserting.test(text))
      .map(({ title }) => title),
  );
}
