import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";

const deeds = (text: string): string[] =>
  saidWork(text).flatMap((said) => (said.kind === "file" ? `${said.how} ${said.path}` : said.kind));

test.each([
  ["Adds `src/sub.js`.", ["added src/sub.js"]],
  ["- Adds `src/sub.js` with a subtraction", ["added src/sub.js"]],
  ["Introduces `src/x.js`, which reads numbers.", ["added src/x.js"]],
  ["Introduced `src/x.js`", ["added src/x.js"]],
  ["Creates a new file `src/x.js`", ["added src/x.js"]],
  ["Removes `src/old.js`", ["deleted src/old.js"]],
  ["Deletes the unused `src/old.js`.", ["deleted src/old.js"]],
  ["Updates `src/x.js` to use the parser.", ["modified src/x.js"]],
  ["Refactors `src/x.js` and `src/y.js`", ["modified src/x.js", "modified src/y.js"]],
  ["This PR adds `src/a.js` and removes `src/b.js`.", ["added src/a.js", "deleted src/b.js"]],
  ["This change also updates\n`src/a.js`.", ["modified src/a.js"]],
  ["Adds `--json` to `src/cli.js`.", ["modified src/cli.js"]],
  ["Fixes a crash in `src/a.js`.", ["modified src/a.js"]],
  ["Fixes #12. Adds `src/a.js`.", ["added src/a.js"]],
  ["Adds `src/a.js`. Removes `src/b.js`.", ["added src/a.js", "deleted src/b.js"]],
  [
    "Changes:\n\n- Adds `src/a.js`\n- [x] Removes `src/b.js`",
    ["added src/a.js", "deleted src/b.js"],
  ],
  ["In `src` this change does:\n- Adds `src/a.js`", ["added src/a.js"]],
])("a description says what its change does: %s", (text, expected) => {
  expect(deeds(text)).toEqual(expected);
});

test("the words are those of the description", () => {
  expect(saidWork("Adds\n`src/sub.js`.")).toEqual([
    { kind: "file", path: "src/sub.js", how: "added", text: "Adds `src/sub.js`." },
  ]);
});

test.each([
  "Adds two numbers.",
  "This adds up.",
  "`add` adds a row to `table.js`.",
  "**add**: Adds a row to `table.js`.",
  "| add | Adds a row to `table.js` |",
  "The function adds `src/a.js` to a list.",
  "It removes `src/a.js`.",
  "`scripts/sync.js` mirrors the folder. Updates `manifest.json`.",
  "The `sync` command does this:\n- Updates `manifest.json`\n- Removes `old.json`",
  "The script works like this:\n\n1. Creates `out.json`\n2. Removes `old.json`",
  "Updates `config.json` when the user logs in.",
  "Updates `config.json` on startup.",
  "Updates `config.json` after each run.",
  "Creates `dist/out.js` from the sources.",
  "Creates `dist/out.js` if it is missing.",
  "Removes `tmp/x.json` after the run.",
  "Removes `tmp/x.json` by default.",
  "Adds `src/a.js` to the build.",
  "Removes `src/a.js` from the list of tests.",
  "Changes to `src/a.js` are welcome.",
  "Updates to `src/a.js` are not needed.",
  "Fixes for `src/a.js` come later.",
  "Adds `user.name` to the answer.",
  "- [ ] Adds `src/a.js`",
  "To do:\n- Adds `src/a.js`",
  "Add `src/a.js`.",
  "Should this add `src/a.js`?",
  "Does not add `src/a.js`.",
])("what a program does, or somebody wishes, is no change: %s", (text) => {
  expect(deeds(text)).toEqual([]);
});
