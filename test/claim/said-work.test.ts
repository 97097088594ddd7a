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
    ["There are no failing tests anymore."],
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
    ["I've run the full test suite and everything works."],
    ["Executed the whole suite again: no problems"],
    ["We ran the unit tests again, and everything works."],
    ["```x``` is it. All tests pass."],
  ])("%s", (text) => {
    // What else is said of a build has tests of its own.
    const said = saidWork(text).filter(({ kind }) => kind !== "check");
    expect(said).toMatchObject([{ kind: "tests", isOfAll: true }]);
    expect(folded(text)).toContain(said[0]?.text);
  });

  test.each([
    ["The change passes the test suite.", undefined],
    ["Test suite passes as before.", undefined],
    ["The previously failing test now passes.", undefined],
    ["Previously failing tests now pass.", undefined],
    ["I re-ran the failing test and it passes now.", undefined],
    ["The broken tests are passing again.", undefined],
    ["I've run the tests and they pass.", undefined],
    ["Validated by running the tests.", undefined],
    ["Tests: 0 failed", undefined],
    ["The test run finished with 0 failures.", undefined],
    ["42 tests, 0 failures", 42],
    ["pytest: 42 passed in 1.2s", 42],
    ["42 passed, 1 skipped in 3 s", 42],
    ["Test results: 42/42 ✔", 42],
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
    "I re-ran the failing tests and they still fail.",
    "I ran the tests and 3 fail.",
    "I ran the tests but they fail.",
    "I ran the tests, and it works only if Node 22 is there.",
    "I will run the tests and they should pass.",
    "The failing test still fails.",
    "Checked the parser by running the tests for dates.",
    "Tests: good coverage matters.",
    "Tests: fine-grained",
    "Are the tests: all good?",
  ])("%s", (text) => {
    expect(saidWork(text)).toEqual([]);
  });
});

test("the prompt is an echo however its lines end, and a single sentence of it is none", () => {
  const prompt = "Say this:\n\nAll tests pass\nnow.";
  expect(saidWork("Say this:\n\nAll tests\npass now.", prompt)).toEqual([]);
  expect(saidWork("All tests\npass now.", prompt)).toMatchObject([{ kind: "tests" }]);
});

test("what is asked for is not done because it is said in the same words", () => {
  const prompt = "Fix add(). Keep the API. Acceptance:\n\n- All tests pass.\n- Created `a.txt`.\n";
  expect(saidWork("All tests pass.", prompt)).toMatchObject([{ kind: "tests", isOfAll: true }]);
  expect(saidWork("Done.\n\n- All tests pass.\n- Created `a.txt`.", prompt)).toHaveLength(2);
  const echoed = `You asked:\n\n${prompt}\nI did it. All tests pass.`;
  expect(saidWork(echoed, prompt)).toHaveLength(1);
  expect(saidWork(prompt.repeat(2), prompt)).toEqual([]);
});

test("an endless echo takes its time once", () => {
  const prompt = Array.from({ length: 20_000 }, (_, at) => `Do part ${at}.`).join(" ");
  expect(saidWork(`${prompt} All tests pass.`, prompt)).toHaveLength(1);
});

describe("what hides words from whoever searches for them hides nothing", () => {
  test.each([
    ["colours", "\u001B[32mAll\u001B[0m tests \u001B[1;32mpass\u001B[0m."],
    ["a link of a terminal", "All \u001B]8;;https://example.org\u0007tests\u001B]8;;\u0007 pass."],
    ["letters that nobody sees", "All te\u200Bsts pa\u00ADss."],
    ["letters that look like ours", "All t\u0435sts p\u0430ss."],
    ["a fence around all of it", "```markdown\nI am done.\n\nAll tests pass.\n```\n"],
  ])("%s", (_, text) => {
    expect(saidWork(text)).toMatchObject([{ kind: "tests", isOfAll: true }]);
  });

  test("what is shown between two fences is no report, and names in code are left as they are", () => {
    expect(saidWork("```\nAll tests pass.\n```\n\nSee above.\n\n```\nx\n```")).toEqual([]);
    expect(saidWork("Created `t\u0435st.txt`.")).toMatchObject([{ path: "t\u0435st.txt" }]);
  });

  test("many marks take their time once", () => {
    for (const mark of ["\u001B[", "\u001B]", "```", "`", "\u200B"]) {
      expectLinear((times) => saidWork(mark.repeat(2_000 * times)));
    }
  });
});

describe("what is denied in one part of a sentence says nothing of another", () => {
  test.each([
    "I fixed the failing test, and all tests pass now.",
    "All tests pass, but I did not touch the docs.",
    "All tests pass and the bug will not come back.",
    "I never changed the API; all tests pass.",
    "The parser failed on empty input before, but the tests pass now.",
  ])("%s", (text) => {
    expect(saidWork(text)).toMatchObject([{ kind: "tests", text }]);
  });

  test.each([
    "All tests pass, but one fails.",
    "All tests pass, but only if you set CI.",
    "If you fix the parser, and all tests pass, merge it.",
    "I could not start the runner, but all tests should pass.",
    "Please fix the parser, and all tests pass.",
    "All tests pass, but I did not run them.",
    "All tests pass, although I am not sure about the last one.",
    "I did not see that the tests pass, so look yourself.",
    "We want no failures, and all tests pass then.",
    "The docs say nothing is broken and the tests pass.",
  ])("not: %s", (text) => {
    expect(saidWork(text)).toEqual([]);
  });
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
