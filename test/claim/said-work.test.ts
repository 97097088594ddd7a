import { describe, expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

const folded = (text: string) => text.replace(/\s+/g, " ");

describe("that tests pass is said by", () => {
  test.each([
    ["All tests\npass now."],
    ["all of the existing\ntests pass on my machine."],
    ["- All\n  tests pass"],
    ["**All tests pass.**"],
    ["No tests fail."],
    ["No test fails any more, now that all tests pass"],
    ["None of the tests fail."],
    ["Not one of the existing tests fails."],
    ["There are no failing tests."],
    ["No failing tests were found."],
    ["No test failures."],
    ["There were zero test failures."],
    ["It runs without any test failures."],
    ["0 tests failed."],
    ["This passes all tests."],
    ["Passes all tests."],
    ["The change now passes all existing tests."],
    ["The new parser passed every test."],
    ["It builds cleanly and passes all tests."],
    ["Ran all tests successfully."],
    ["I ran all the tests without any failures."],
    ["Successfully ran all unit tests"],
    ["The whole suite passes without errors."],
    ["The entire suite passes as before."],
    ["Tests: all good"],
    ["**Tests**: all green"],
    ["All tests OK."],
    ["The tests are all fine."],
    ["All tests pass as expected."],
    ["All tests pass as they did before."],
    ["I got all tests to pass."],
    ['Fixed "x" in the parser, and all tests pass.'],
    ["- [x] All tests pass"],
    ["```x``` is it. All tests pass."],
  ])("%s", (text) => {
    const said = saidWork(text);
    expect(said).toMatchObject([{ kind: "tests", isOfAll: true }]);
    expect(folded(text)).toContain(said[0]?.text);
  });

  test.each([
    ["The change passes the test suite.", undefined],
    ["Test suite passes as before.", undefined],
    ["Tests: 0 failed", undefined],
    ["The test run finished with 0 failures.", undefined],
    ["42 tests, 0 failures", 42],
    ["0 failures in 12 tests.", 12],
    ["The tests ran without errors.", undefined],
    ["`pytest -q` passes.", undefined],
    ["`npx vitest run` is green", undefined],
  ])("%s", (text, count) => {
    expect(saidWork(text)).toMatchObject([{ kind: "tests", count, isOfAll: false }]);
  });

  test("a line behind others, in its own words", () => {
    expect(saidWork("ST-01 is done.\nFLAW: none\nAll tests pass. Created `src/x.js`.")).toEqual([
      { kind: "tests", count: undefined, isOfAll: true, text: "All tests pass." },
      {
        ...{ kind: "file", path: "src/x.js", how: "added", isNew: true },
        text: "Created `src/x.js`.",
      },
    ]);
    expect(saidWork("It should work now\nAll tests pass")).toHaveLength(1);
  });
});

test.each(["All checks pass.", "✅ All CI checks passed", "This passes all checks."])(
  "that all checks pass is said of more than tests: %s",
  (text) => {
    expect(saidWork(text)).toMatchObject([{ kind: "tests", isOfAll: true, isOfChecks: true }]);
  },
);

describe("that tests pass is not said by", () => {
  test.each([
    "Some tests still fail.",
    "Not all tests pass.",
    "The tests don't pass.",
    "The tests don’t pass on my machine.",
    "All tests pass except one.",
    "All but two tests pass.",
    "The suite is green only on Linux.",
    "Make sure all tests pass.",
    "Make all tests pass.",
    "Check that all tests pass.",
    "We want all tests to pass.",
    "CI requires all tests to pass.",
    "The goal is that all tests pass.",
    "Hopefully all tests pass.",
    "If the flag is set,\nall tests pass.",
    "This should work, and\nall tests pass.",
    "Do all\ntests pass?",
    "> Please make sure that all\n> tests pass.",
    "- [ ] All tests pass",
    "Before merging, make sure that:\n- All tests pass\n- All checks pass",
    "## To do\n\n- All tests pass",
    "Acceptance criteria:\n\n1. All tests pass",
    "All tests passed on main.",
    "All tests previously passed.",
    "The issue says all tests pass.",
    'The bot prints "All tests pass" and exits.',
    "The tests cover how arguments are passed.",
    "A test for passing null is there.",
    "Tests are passed to the runner.",
    "This test passes the string on.",
    "This test passes a string.",
    "The test passes `x` on.",
    "A build that passes all tests is merged.",
    "Only code which passes all tests is merged.",
    "The function passes the tests to the runner.",
    "It passes all tests along to the worker.",
    "The helper passes every test file to node.",
    "The code passes tests through a queue.",
    "Run all tests successfully, then push.",
    "No tests fail when this line is removed.",
    "No tests failed before this change.",
    "Previously no tests failed.",
    "Without the fix no tests fail.",
    "There are no failing tests that cover this.",
    "There is no failing test for this bug.",
    "Expect no test failures.",
    "No test failures are expected.",
    "The goal is zero test failures.",
    "CI requires zero test failures.",
    "Tests with 0 failures are hidden.",
    "0 failures were injected in the tests.",
    "Tests the case of 0 failures.",
    "After all checks pass, the user is logged in.",
    "The form is sent as soon as all checks pass.",
    "The user is admitted once all checks pass.",
    "If all checks pass, it is sent.",
    "It passes all checks to the worker.",
    "Tests: good coverage matters.",
    "Tests: fine-grained",
    "Are the tests: all good?",
  ])("%s", (text) => {
    expect(saidWork(text)).toEqual([]);
  });
});

test("a sentence of the prompt is an echo however its lines end", () => {
  expect(saidWork("All tests\npass now.", "Say this:\n\nAll tests pass\nnow.")).toEqual([]);
});

test.each([
  "All tests ",
  "tests pass ",
  "This passes all tests ",
  "The a b c passes the of the ",
  "no tests are ",
  "None of the of the ",
  "12 tests 0 ",
  "tests: ",
  "0 failures in ",
  "Ran all tests ",
  "and passes all the ",
  "all the our ci checks ",
  "`npm run lint`, ",
  "`npm run lint` ",
  "Adds `a/b.js` and adds ",
  "Renamed `a/b.js` to ",
  "`a/b.js` was renamed to ",
  "Added `a/b.js` to ",
  "old code added ",
  '"a" ',
  "“",
  "✅",
  "- ",
  "with this a b ",
  "(",
  "tests all run ",
  "without the ",
])("a long text of %j is read in time that grows with it", (part) => {
  const line = part.repeat(Math.ceil(900 / part.length));
  const of = (lines: number) => `${line}\n\n`.repeat(lines) + line.repeat(lines);
  const texts = { 1: of(10), 10: of(100) };
  expectLinear((times) => saidWork(texts[times]));
});

test("1 MB of beginnings is read", () => {
  const parts = [
    "This passes all ",
    "no tests ",
    "Renamed `a.js` to ",
    "`npm ci`, ",
    "0 failures ",
  ];
  const text = parts.map((part) => part.repeat(200_000 / part.length)).join("\n\n");
  expect(saidWork(text)).toEqual([]);
});
