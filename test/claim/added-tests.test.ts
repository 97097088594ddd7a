import { expect, test } from "vitest";
import { addedTests } from "../../src/claim/index.ts";

test.each([
  ["Added 3 tests.", 3],
  ["Adds one test.", 1],
  ["Added tests for the parser.", 1],
  ["- added five new unit tests, with no mocks", 5],
  ["I wrote a regression test.", 1],
  ["I added twenty tests.", 20],
  ["Added a hundred tests.", 100],
  ["Added a dozen new unit tests.", 12],
  ["Added 2 unit tests and 5 integration tests.", 7],
  ["Adds one test and another test.", 2],
  ["Two files changed; covered it with several tests.", 1],
])("%s", (text, count) => {
  expect(addedTests(text)).toEqual([{ text, count }]);
});

test.each([
  "No tests were added.",
  "Wrote zero tests.",
  "I did not add tests.",
  "Fixed it without adding any tests.",
  "Please add 3 tests.",
  "Should I add tests?",
  "Added a test helper.",
  "Added `src/add.js`; the tests are as before.",
  "```\nAdded 3 tests.\n```",
])("is no such word: %s", (text) => {
  expect(addedTests(text)).toEqual([]);
});
