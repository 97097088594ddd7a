import { expect, test } from "vitest";
import { untouchedTests } from "../../src/claim/index.ts";

test.each([
  ["No tests were changed.", "change"],
  ["No test files were modified", "change"],
  ["- No existing unit tests changed.", "change"],
  ["No changes to the tests.", "change"],
  ["All existing tests are unchanged.", "change"],
  ["The tests were not modified.", "change"],
  ["I did not touch any tests.", "touch"],
  ["I didn't change the test suite.", "change"],
  ["The bug is fixed without changing any tests.", "change"],
  ["Tests are untouched.", "touch"],
  ["No tests were added.", "touch"],
  ["No tests were removed.", "loss"],
  ["I did not delete any tests.", "loss"],
  ["No tests were removed or changed.", "change"],
])("%s", (text, denied) => {
  expect(untouchedTests(text)).toEqual([{ text, denied }]);
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
