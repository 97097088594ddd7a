import { expect, test } from "vitest";
import { judged, messages } from "./judging.ts";

const JS = "test/a.test.js";
const script = (limit: string, size: string) =>
  `const LIMIT = ${limit};\nconst size = ${size};\ntest("a", () => {\n  const rows = load(size);\n  expect(rows.length).toBe(LIMIT);\n});\n`;

test("a constant that an assertion demands is told of when it has another value", () => {
  expect(messages([{ path: JS, before: script("10", "5"), after: script("11", "5") }])).toEqual([
    "Expected value changed: LIMIT, which an assertion demands, was 10 and is 11 now",
  ]);
  expect(judged([{ path: JS, before: script("10", "5"), after: script("11", "5") }])).toEqual([
    "note loosened 1",
  ]);
  const python = (value: string) =>
    `import a\n\nWANTED = ${value}\n\n\ndef test_a():\n    assert a.run() == WANTED\n`;
  expect(
    messages([{ path: "tests/test_a.py", before: python("'x'"), after: python("'y'") }]),
  ).toEqual(["Expected value changed: WANTED, which an assertion demands, was 'x' and is 'y' now"]);
});

test("a constant that is input only, is new or has the same value is no news", () => {
  expect(messages([{ path: JS, before: script("10", "5"), after: script("10", "6") }])).toEqual([]);
  expect(messages([{ path: JS, before: script("10", "5"), after: script("10", "5") }])).toEqual([]);
  const source = (value: string) => `export const LIMIT = ${value};\nexpect(LIMIT);\n`;
  expect(messages([{ path: "src/a.js", before: source("1"), after: source("2") }])).toEqual([]);
});

test("fixtures and approved results that were changed or taken away are told of", () => {
  const change = (path: string, after?: string) =>
    messages([{ path, before: "one\ntwo\n", ...(after === undefined ? {} : { after }) }]);
  expect(change("test/fixtures/orders.json", "one\nthree\n")).toEqual([
    "Expected value changed, perhaps: 1 line of the fixture test/fixtures/orders.json changed",
  ]);
  expect(change("pkg/testdata/a.txt")).toEqual(["The fixture pkg/testdata/a.txt is gone"]);
  expect(change("spec/report.approved.txt", "one\n")).toEqual([
    "Expectation rewritten: 1 line of the stored results in spec/report.approved.txt changed",
  ]);
  // More of it takes nothing away, and data of the program is no fixture.
  expect(change("test/fixtures/orders.json", "one\ntwo\nthree\n")).toEqual([]);
  expect(change("src/data/orders.json", "other\n")).toEqual([]);
});
