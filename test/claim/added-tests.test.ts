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

test.each([
  ["1 test added.", 1],
  ["3 new unit tests added, with no mocks", 3],
  ["Two tests were added.", 2],
  ["A test was added for empty input.", 1],
  ["Tests added.", 1],
  ["Two tests\nwere added to `test/a.test.js`.", 2],
])("that tests were added is read the other way round: %s", (text, count) => {
  expect(addedTests(text)).toEqual([{ text: text.replace("\n", " "), count }]);
});

test.each([
  "No test added.",
  "The tests added in #12 fail.",
  "The tests added for the parser are slow.",
  "Tests were added to the skip list.",
  "A test was added in 2019.",
  "If a test is added, it is run.",
  "Was a test added?",
  "- [ ] 1 test added",
  "Zero tests were added.",
])("no test is said to be new: %s", (text) => {
  expect(addedTests(text)).toEqual([]);
});
