import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

const deeds = (text: string): string[] =>
  saidWork(text).flatMap((one) => (one.kind === "file" ? [`${one.how} ${one.path}`] : []));

test.each([
  ["I added src/new.js, fixed the bug in parse(), removed nothing else.", ["added src/new.js"]],
  ["Created **src/new.js** and *lib/b.py*.", ["added src/new.js", "added lib/b.py"]],
  ["Created [src/new.js](src/new.js) for the helper.", ["added src/new.js"]],
  ["Created [`src/new.js`](https://example.org/src/new.js).", ["added src/new.js"]],
  ["I deleted src/old.js.", ["deleted src/old.js"]],
  ["Renamed src/old.js to src/new.js.", ["deleted src/old.js", "added src/new.js"]],
  ["Added utils.py and package.json", ["added utils.py", "added package.json"]],
  ["I introduced `src/new.js`.", ["added src/new.js"]],
  ["- New file: `src/new.js`", ["added src/new.js"]],
  ["**New files:** src/a.js, src/b.js", ["added src/a.js", "added src/b.js"]],
  ["- `src/new.js` (new)", ["added src/new.js"]],
  ["- `src/old.js` (deleted)", ["deleted src/old.js"]],
  ["- `src/new.js` – new helper module", ["added src/new.js"]],
  [
    "### Files created\n\n- `src/a.js`\n- src/b.js: the helper",
    ["added src/a.js", "added src/b.js"],
  ],
  ["Files changed:\n\n- `src/a.js` - the parser", ["modified src/a.js"]],
  ["## Removed files\n- `src/a.js`", ["deleted src/a.js"]],
])("files are named in many ways: %s", (text, expected) => {
  expect(deeds(text)).toEqual(expected);
});

test.each([
  "Added Node.js and Next.js to the list of what is supported.",
  "Updated three.js, and fixed express.js.",
  "Added a link to example.com/src/a.js.",
  "Created https://example.com/src/a.js with it.",
  "I added the import lodash/get.js to it: `import get from 'lodash/get.js'`.",
  "Fixed the crash at src/a.js:12.",
  "I did not add src/new.js.",
  "Next I would add src/new.js.",
  "### Files to be created\n\n- `src/a.js`",
  "### Related files\n\n- `src/a.js` (see above)",
  "Added @scope/pkg/a.js to it.",
  "The file src/a.js was already there.",
])("and not everything that looks like one is said to be made: %s", (text) => {
  expect(deeds(text)).toEqual([]);
});

test("names without an end are read in time", () => {
  for (const unit of ["a/", "a.js/", "[a.js", "**`a`", "`a` (new) "]) {
    expectLinear((times) => saidWork(`Added ${unit.repeat(2_000 * times)}`));
  }
});
