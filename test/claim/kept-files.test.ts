import { expect, test } from "vitest";
import { keptFiles } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

test.each([
  ["`package.json` was not modified.", "change", ["package.json"]],
  ["I left README.md alone.", "change", ["README.md"]],
  ["I didn't change `src/a.js` or `src/b.js`.", "change", ["src/a.js", "src/b.js"]],
  ["`src/a.js` is unchanged.", "change", ["src/a.js"]],
  ["`src/legacy.js` is kept for compatibility.", "deletion", ["src/legacy.js"]],
  ["I did not delete `src/a.js`.", "deletion", ["src/a.js"]],
  ["`src/a.js` habe ich nicht gelöscht.", "deletion", ["src/a.js"]],
  ["Je n'ai pas touché à `src/a.js`.", "change", ["src/a.js"]],
  ["No he modificado `src/a.js`.", "change", ["src/a.js"]],
  ["没有修改 `src/a.js`。", "change", ["src/a.js"]],
  ["`src/a.js` は削除していません。", "deletion", ["src/a.js"]],
])("that files are as they were is heard: %s", (text, denied, paths) => {
  expect(keptFiles(text)).toMatchObject([{ denied, paths }]);
});

test.each([
  "`src/a.js` is unchanged except for its imports.",
  "I did not change `src/a.js` in a breaking way.",
  "If I had not changed `src/a.js`, it would fail.",
  "`src/a.js` should stay unchanged.",
  "The API of `src/a.js` is unchanged.",
  "I did not change what `src/a.js` does.",
  "`src/a.js` was not changed by the last release.",
  "`test/a.test.js` is unchanged.",
  "Why was `src/a.js` not changed?",
])("and other words are not: %s", (text) => {
  expect(keptFiles(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of ["`src/a.js`, ", "I did not change ", "`a.js` is "]) {
    expectLinear((times) => keptFiles(`${unit.repeat(1_000 * times)} unchanged not`));
  }
});
