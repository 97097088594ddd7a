import { expect, test } from "vitest";
import { untouchedTests } from "../../src/claim/index.ts";

test.each([
  ["No tests were changed.", false],
  ["No test files were modified", false],
  ["- No existing unit tests changed.", false],
  ["No changes to the tests.", false],
  ["All existing tests are unchanged.", false],
  ["The tests were not modified.", false],
  ["I did not touch any tests.", true],
  ["I didn't change the test suite.", false],
  ["The bug is fixed without changing any tests.", false],
  ["Tests are untouched.", true],
  ["No tests were added.", true],
])("%s", (text, deniesNew) => {
  expect(untouchedTests(text)).toEqual([{ text, deniesNew }]);
});

test.each([
  "Tests were changed.",
  "No tests fail.",
  "Please do not change any tests.",
  "Were no tests changed?",
  "The tests should remain unchanged.",
  "No tests were changed in this sentence of a plan if it works.",
  "There are no tests. The parser was changed.",
  "```\nNo tests were changed.\n```",
])("is no such word: %s", (text) => {
  expect(untouchedTests(text)).toEqual([]);
});
