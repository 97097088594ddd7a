import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";

const files = (text: string): string[] =>
  saidWork(text).flatMap((said) => (said.kind === "file" ? [`${said.how} ${said.path}`] : []));

test.each([
  ["- tally/cache.py (new)", ["added tally/cache.py"]],
  ["- `tally/b.py` - modified", ["modified tally/b.py"]],
  ["* [new] tally/c.py", ["added tally/c.py"]],
  ["- **New file:** `x/y.py`", ["added x/y.py"]],
  ["New files: `x/y.py`, `x/z.py`", ["added x/y.py", "added x/z.py"]],
  ["- `x/y.py` – new module for it", ["added x/y.py"]],
  // That is perhaps in a file that was there before.
  ["- `x/y.py`: new function `z()`", ["modified x/y.py"]],
  ["- **`x/y.py`** (deleted)", ["deleted x/y.py"]],
  [
    "| File | Change |\n|---|---|\n| tally/cache.py | keeps results |\n| `tally/d.py` | new |",
    ["modified tally/cache.py", "added tally/d.py"],
  ],
  ["Files changed:\n\n- `a/b.py`: a cache\n- a/c.py", ["modified a/b.py", "modified a/c.py"]],
  ["## New files\n- a/b.py - the parser", ["added a/b.py"]],
])("a file in a list of what was changed is said to be in it: %s", (text, expected) => {
  expect(files(text)).toEqual(expected);
});

test.each([
  ["Moved parsing into `tally/reader.py`.", ["modified tally/reader.py"]],
  ["12 new tests in `tests/test_mode.py`", ["modified tests/test_mode.py"]],
  ["Added a test for `mode` in `tests/test_mode.py`, a new file.", ["added tests/test_mode.py"]],
  ["Added three tests for it to `test/a.test.js`.", ["modified test/a.test.js"]],
])("so is one that something was put into: %s", (text, expected) => {
  expect(files(text)).toEqual(expected);
});

test.each([
  ["The parts:\n\n- `src/a.js`: reads\n- src/b.js: writes"],
  ["The bug:\n- `src/a.js`, new in 3.0"],
  ["- [ ] src/a.js (new)"],
  ["- src/a.js (not changed)"],
  ["Files changed before merging should be:\n- src/a.js"],
  ["| Test | Result |\n|---|---|\n| src/a.js | ok |"],
  ["Added tests for `src/a.js`."],
])("and other lists say nothing of a change: %s", (text) => {
  expect(files(text)).toEqual([]);
});
