import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";
import { unseenClaims } from "../../src/flow/check/unseen-claims.ts";

const claimed = (text: string) =>
  unseenClaims(parseReport(text, { path: "report.md" }), text).map((one) => one.text);

test.each([
  "All tests pass.",
  "The test suite is green.",
  "17/17 unit tests passed.",
  "No findings. Every test passes.",
])("that tests pass is claimed by %s", (text) => {
  expect(claimed(`${text}\n`)).toHaveLength(1);
});

test("what a finding says about a test belongs to the finding, unless it speaks of all", () => {
  const finding = (words: string) => `- **P1** \`test/a.test.js:3\` ${words}\n`;
  expect(claimed(finding("The test passes although it asserts nothing"))).toEqual([]);
  expect(claimed(finding("It asserts nothing. All tests pass."))).toHaveLength(1);
});

test("wishes and code are no claims", () => {
  expect(claimed("All tests should pass.\n")).toEqual([]);
  expect(claimed("```\nAll tests pass.\n```\n")).toEqual([]);
});

test("of an answer that is no review, what it says was changed is not known either", () => {
  const answer =
    "The build succeeds. I added `src/ghost.js`.\n\n- Removed src/a.js\n- No new dependencies.\n";
  expect(claimed(answer)).toEqual([
    "The build succeeds.",
    "I added `src/ghost.js`.",
    "- Removed src/a.js",
    "- No new dependencies.",
  ]);
  const review =
    "This change added `src/b.js` and no new dependencies. CI passes.\n\nNo findings.\n";
  expect(claimed(review)).toEqual(["CI passes."]);
});
