import { expect, test } from "vitest";
import { judged, messages } from "./judging.ts";

const path = "test/add.test.js";
const BEFORE = `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/add.js";
test("adds", () => {
  assert.equal(add(1, 2), 3);
});
`;
const FROM = 'import { add } from "../src/add.js";';
const LOST = ["weakened loosened"];

test.each([
  ["const add = (a, b) => a + b;"],
  ["function add(a, b) { return a + b; }"],
  ['import { add } from "./add-stub.js";'],
])("tests of a thing of their own show nothing of the program: %s", (now) => {
  expect(judged([{ path, before: BEFORE, after: BEFORE.replace(FROM, now) }])).toEqual(LOST);
});

test("it is said what they tested before", () => {
  const after = BEFORE.replace(FROM, "const add = () => 3;");
  expect(messages([{ path, before: BEFORE, after }])).toEqual([
    "add in test/add.test.js came from ../src/add.js before, which it tested, and is the tests' own now",
  ]);
});

test.each([
  ['import { add } from "../lib/add.js";'],
  ['import { add, sub } from "../src/add.js";'],
  ['const { add } = await import("../src/add.js");'],
  ['const add = require("../src/add.js").add;'],
])("what comes from the program in another way is tested as before: %s", (now) => {
  expect(judged([{ path, before: BEFORE, after: BEFORE.replace(FROM, now) }])).toEqual([]);
});

test("where the program's own is gone, tests may have theirs", () => {
  const after = BEFORE.replace(FROM, "const add = (a, b) => a + b;");
  const gone = { path: "src/add.js", before: "export const add = (a, b) => a + b;\n" };
  expect(judged([{ path, before: BEFORE, after }, gone])).toEqual([]);
});

const PYTHON = `from add import add


def test_b():
    assert add(1, 2) == 3
`;

test("so it is in Python", () => {
  const own = PYTHON.replace("from add import add", "def add(a, b):\n    return a + b");
  const one = { path: "test_add.py", before: PYTHON };
  expect(judged([{ ...one, after: own }])).toEqual(LOST);
  expect(judged([{ ...one, after: PYTHON.replace("from add", "from lib.add") }])).toEqual([]);
  const gone = { path: "add.py", before: "def add(a, b):\n    return a + b\n" };
  expect(judged([{ ...one, after: own }, gone])).toEqual([]);
});
