import { expect, test } from "vitest";
import { partDeeds } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

test.each([
  [
    "Added `zod` to `package.json`.",
    { name: "zod", how: "added", isDependency: true, path: "package.json" },
  ],
  ["I added `uuid` as a dependency.", { name: "uuid", how: "added", isDependency: true }],
  [
    "Removed `zod` from the dependencies since it isn't used.",
    { name: "zod", how: "deleted", isDependency: true },
  ],
  [
    "I bumped `lodash` to 4.17.21 in package.json.",
    { name: "lodash", how: "modified", isDependency: true, path: "package.json" },
  ],
  ["Fixed the bug in `parseAll()`.", { name: "parseAll()", how: "modified", isDependency: false }],
  ["I've updated `parseLine()`.", { name: "parseLine()", how: "modified", isDependency: false }],
  [
    "I fixed `run` in `src/a.js` so that it should end.",
    { name: "run", how: "modified", path: "src/a.js" },
  ],
  [
    "Added the helper `clean()` to `src/a.js`.",
    { name: "clean()", how: "added", path: "src/a.js" },
  ],
])("what was done to something in the source is heard by its name: %s", (text, expected) => {
  expect(partDeeds(text)).toMatchObject([expected]);
});

test.each([
  "You could add `zod` to `package.json`.",
  "I added no dependency to `package.json`.",
  "The script added `zod` to `package.json`.",
  "I did not change `parseAll()`.",
  "If I updated `parseAll()`, it would break.",
  "`parseAll()` returns what was added.",
  "Added a test for `parseAll()`.",
  "Removed the call of `parseAll()`'s result.",
  "Next steps:\n- updated `parseAll()`",
])("and other words are not: %s", (text) => {
  expect(partDeeds(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of ["added `a` to ", "fixed `a()`, ", "`a` to `b.js` "]) {
    expectLinear((times) => partDeeds(unit.repeat(1_000 * times)));
  }
});
