import { expect, test } from "vitest";
import { onlyFiles } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

test.each([
  ["Only prices/__init__.py was changed.", ["prices/__init__.py"]],
  ["I only changed `src/a.js`.", ["src/a.js"]],
  [
    "I only touched `src/a.js` and `src/b.js`, since nothing else was needed.",
    ["src/a.js", "src/b.js"],
  ],
  ["I changed only `src/a.js`.", ["src/a.js"]],
  ["I've modified nothing but `./src/a.js`.", ["src/a.js"]],
  ["This PR only touches files under `src/`.", ["src/"]],
  ["No files other than `src/a.js` were modified.", ["src/a.js"]],
  ["Nothing outside of `src/` was touched.", ["src/"]],
  ["The only file I changed is `src/a.js`.", ["src/a.js"]],
  ["The only file changed is `src/a.js`.", ["src/a.js"]],
  ["`src/a.js` is the only file that was changed.", ["src/a.js"]],
  ["Nur `src/a.js` wurde geändert.", ["src/a.js"]],
  ["Ich habe nur `src/a.js` angepasst.", ["src/a.js"]],
  ["Seul `src/a.js` a été modifié.", ["src/a.js"]],
  ["J'ai uniquement modifié `src/a.js`.", ["src/a.js"]],
  ["Solo modifiqué `src/a.js`.", ["src/a.js"]],
  ["只修改了 `src/a.js`。", ["src/a.js"]],
  ["`src/a.js` のみ変更しました。", ["src/a.js"]],
])("that nothing else was changed is heard: %s", (text, paths) => {
  expect(onlyFiles(text)).toEqual([{ text, paths }]);
});

test.each([
  "I only changed `parseAll()`.",
  "I only changed `src/a.js` and added `test/a.test.js`.",
  "I only changed the imports of `src/a.js`.",
  "Only `src/a.js` was changed in the last release.",
  "Only `src/a.js` should be changed.",
  "If only `src/a.js` was changed, run `npm test`.",
  "I have not only changed `src/a.js`.",
  "`src/a.js` was changed only where it was wrong.",
  "Previously only `src/a.js` was changed.",
  "I just updated.",
  "Next steps: only change `src/a.js`.",
])("and other words are not: %s", (text) => {
  expect(onlyFiles(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of ["`src/a.js`, ", "only changed ", "only `a.js` and ", "nothing but "]) {
    expectLinear((times) => onlyFiles(`Only ${unit.repeat(1_000 * times)} was`));
  }
});
