import { expect, test } from "vitest";
import { fileMoves } from "../../src/claim/file-moves.ts";
import { saidWork } from "../../src/claim/index.ts";

const moves = (text: string): string[] =>
  saidWork(text).flatMap((said) => (said.kind === "file" ? `${said.how} ${said.path}` : said.kind));
const BOTH = ["deleted src/a.js", "added src/b.js"];

test.each([
  ["Renamed `src/a.js` to `src/b.js`.", BOTH],
  ["Renames `src/a.js` to `src/b.js`", BOTH],
  ["- Moves the file `src/a.js` to `src/b.js`, and nothing else", [...BOTH, "check"]],
  ["This PR renames `./src/a.js` → `./src/b.js`.", BOTH],
  ["I fixed it and renamed `src/a.js` to `src/b.js`.", BOTH],
  ["`src/a.js` was renamed\nto `src/b.js`.", BOTH],
  ["Moved `src/a.js` into `lib/`.", ["deleted src/a.js", "added lib/a.js"]],
  [
    "Renamed `src/a.js` to `src/b.js` and moved `c.js` to `d.js`.",
    [...BOTH, "deleted c.js", "added d.js"],
  ],
])("%s", (text, expected) => {
  expect(moves(text)).toEqual(expected);
});

test.each([
  "Moves `foo` from `src/a.js` to `src/b.js`.",
  "Renames `foo` to `bar` in `src/a.js`.",
  "Renamed `src/a.js` exports to `src/b.js` style.",
  "Moves `in.json` to `done.json` after reading.",
  "The function renames `in.json` to `done.json`.",
  "The old commit renamed `src/a.js` to `src/b.js`.",
  "Please rename `src/a.js` to `src/b.js`.",
  "I will rename `src/a.js` to `src/b.js`.",
  "I have not renamed `src/a.js` to `src/b.js`.",
  "Renamed `feature/login` to `feature/auth`.",
])("nothing has another name: %s", (text) => {
  expect(moves(text)).toEqual([]);
});

test("whole paths are those of the tree that somebody worked in", () => {
  expect(fileMoves("Renamed `/w/tree/a.js` to `/w/tree/b.js`.", "/w/tree")).toEqual([
    { path: "a.js", how: "deleted" },
    { path: "b.js", how: "added" },
  ]);
});
