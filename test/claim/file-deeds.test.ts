import fc from "fast-check";
import { expect, test } from "vitest";
import { fileDeeds } from "../../src/claim/file-deeds.ts";
import { saidWork } from "../../src/claim/index.ts";

const deeds = (sentence: string): string[] =>
  fileDeeds(sentence).map(({ how, path }) => `${how} ${path}`);

test.each([
  ["Created `src/new.ts`.", ["added src/new.ts"]],
  ["Deleted `src/a.ts`.", ["deleted src/a.ts"]],
  ["Removed the old file `src/a.ts`.", ["deleted src/a.ts"]],
  ["Removed `src/a.ts` and `src/b.ts`.", ["deleted src/a.ts", "deleted src/b.ts"]],
  ["Created `src/new.ts` and removed `src/old.ts`.", ["added src/new.ts", "deleted src/old.ts"]],
  ["Wrote ./notes.md: `./notes.md`", ["added notes.md"]],
  ["`src/a.ts` and `src/b.ts` were removed.", ["deleted src/a.ts", "deleted src/b.ts"]],
  ["| `src/b.ts` | removed |", ["deleted src/b.ts"]],
  ["- `src/a.ts`: updated the parser", ["modified src/a.ts"]],
  ["Fixed `Makefile` and `Dockerfile`.", ["modified Makefile", "modified Dockerfile"]],
])("%s", (sentence, expected) => {
  expect(deeds(sentence)).toEqual(expected);
});

test.each([
  ["Removed the unused import from `src/a.ts`.", ["modified src/a.ts"]],
  ["Removed `foo()` from `src/a.ts`.", ["modified src/a.ts"]],
  ["- `src/a.ts`: removed the unused import", ["modified src/a.ts"]],
  ["Added validation to `src/a.ts`.", ["modified src/a.ts"]],
  [
    "I removed the dead code in `lib/x.py` and updated `lib/y.py`.",
    ["modified lib/x.py", "modified lib/y.py"],
  ],
])("what is done within a file is not done to all of it: %s", (sentence, expected) => {
  expect(deeds(sentence)).toEqual(expected);
});

test.each([
  ["Updated `src/a.js` without changing `src/b.js`.", ["modified src/a.js"]],
  ["Updated `src/a.js`; I left `src/b.js` unchanged.", ["modified src/a.js"]],
  ["Added `percentage` to `src/a.js`, for use in `src/b.js`.", ["modified src/a.js"]],
  ["Added a comment to `src/a.js` like the one in `src/b.js`.", ["modified src/a.js"]],
  [
    "Updated `src/a.js`, `src/b.js` and `src/c.js`.",
    ["a", "b", "c"].map((one) => `modified src/${one}.js`),
  ],
  ["Created `src/a.js` with tests in `test/a.test.js`.", ["added src/a.js"]],
  [
    "Updated `src/a.js` to import `src/b.js` and removed `src/c.js`.",
    ["modified src/a.js", "deleted src/c.js"],
  ],
  ["Added tests for `src/a.js`.", []],
  ["I added tests for the trimming in `test/trim.test.js`.", ["modified test/trim.test.js"]],
  ["Added tests for comments in `src/config.json`.", []],
  ["I implemented the helper in `src/a.js`.", ["modified src/a.js"]],
  ["Added a link to `docs/a.md`.", []],
  ["Added an import from `src/b.js` to `src/a.js`.", []],
  ["Fixed a crash like in `src/a.js`.", []],
])("a file that is only mentioned beside another one is not meant: %s", (sentence, expected) => {
  expect(deeds(sentence)).toEqual(expected);
});

test("that a file is new, or that something in it changed, is understood", () => {
  expect(fileDeeds("Created `src/a.js`.")).toEqual([
    { path: "src/a.js", how: "added", isNew: true },
  ]);
  expect(fileDeeds("Added a new file `src/a.js`.")[0]).toMatchObject({ isNew: true });
  expect(fileDeeds("`src/a.js` was created.")[0]).toMatchObject({ isNew: true });
  expect(fileDeeds("Wrote `src/a.js`.")).toEqual([{ path: "src/a.js", how: "added" }]);
  expect(fileDeeds("Removed `euros` from `src/a.js`.")).toEqual([
    { path: "src/a.js", how: "modified", isPart: true },
  ]);
});

test.each([
  "Added `user.name` to the response.",
  "Updated `feature/login`.",
  "Renamed `src/a.ts` to `src/b.ts`.",
  "Renamed `src/a.ts`, then looked around and updated nothing.",
  "See `src/a.ts`.",
  "Added support for `Array.from`.",
])("no file, or nothing that can be said of one: %s", (sentence) => {
  expect(deeds(sentence)).toEqual([]);
});

test("whole paths are understood where it is known in which tree somebody worked", () => {
  const at = (sentence: string) =>
    fileDeeds(sentence, "/workspace/data/tree").map(({ how, path }) => `${how} ${path}`);
  expect(at("Created `/workspace/data/tree/src/new.ts`.")).toEqual(["added src/new.ts"]);
  expect(at("Created `/workspace/data/tree/new.ts`.")).toEqual(["added new.ts"]);
  expect(at("Updated `/etc/app/app.conf`.")).toEqual(["modified /etc/app/app.conf"]);
  expect(at("Added the route `/api/users`.")).toEqual([]);
  expect(deeds("Created `/workspace/data/tree/src/new.ts`.")).toEqual([]);
});

test("what is quoted is not said, and commands stand beside files", () => {
  expect(deeds("The message is `removed`, see `src/a.ts`.")).toEqual([]);
  const said = saidWork("I ran `npm test` and updated `src/a.ts`. Please add `src/b.ts`.");
  expect(said.map(({ kind }) => kind)).toEqual(["command", "file"]);
});

test("any sentence is read", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(deeds(`${text.replaceAll("`", "")} updated \`src/a.ts\``)).toEqual([
        "modified src/a.ts",
      ]);
    }),
  );
});

test("an order, and a sentence of the prompt word for word, is no report", () => {
  const prompt =
    "  Say that tests pass only after you ran them.\nAll 12 tests pass.\nUpdated `src/a.ts`.";
  expect(saidWork(prompt)).toHaveLength(2);
  expect(saidWork(prompt, prompt)).toEqual([]);
  expect(saidWork("You are told:\n> All 12 tests pass.\nAll 13 tests pass.", prompt)).toMatchObject(
    [
      { kind: "tests", count: 12 },
      { kind: "tests", count: 13 },
    ],
  );
  for (const order of [
    "Say that tests pass only after you ran them",
    "- Report that all tests pass",
    "tests pass only after you ran them.",
    "3. Always claim that tests pass",
  ]) {
    expect(saidWork(order), order).toEqual([]);
  }
  expect(saidWork("I report that all tests pass.")).toHaveLength(1);
});

test.each([
  ["Added `src/a.js` to `tsconfig.json`.", ["modified tsconfig.json"]],
  ["Removed `src/a.js` from `tsconfig.json`.", ["modified tsconfig.json"]],
  ["Created `src/a.js` from `src/b.js`.", ["added src/a.js"]],
  ["Created `src/a.js` in `src`.", ["added src/a.js"]],
  ["Added `src/a.js` to the project.", ["added src/a.js"]],
  ["Added `src/a.js` to the build.", []],
  ["Removed `src/a.js` from the list of tests.", []],
  ["The old code added `src/a.js`.", []],
  ["#12 removed `src/a.js`.", []],
  ["`src/a.js` was added in #12.", []],
  ["`src/a.js` was removed in an earlier change.", []],
  ["Reverts the commit that removed `src/a.js`.", []],
])("a name in a list is no file, and what others did is no report: %s", (sentence, expected) => {
  expect(deeds(sentence)).toEqual(expected);
});

test.each([
  ["Added `dist/index.js` to `.gitignore`.", []],
  ["Added `src/new.ts` to `files` in the manifest.", []],
  ["Added `src/new.ts` to `src/`.", ["added src/new.ts"]],
  ["I added a function that creates `out/report.json`.", []],
  ["I added a step to generate `out/report.json`.", []],
  ["Running the script created `out/report.json`.", []],
  ["I created `out/report.json`, and removed it again.", []],
  ["I temporarily created `out/report.json`.", []],
  ["The bug: users deleted `src/parse.js` by accident.", []],
  ["I removed `package.json`'s unused field.", ["modified package.json"]],
  ["Removed `src/parse.js`’s dead branch.", ["modified src/parse.js"]],
  ["I deleted the `src/parse.js` comment about commas.", []],
  ["I removed the `src/parse.js` import.", []],
  ["I added `README.md` generation to the script.", []],
  ["I deleted `src/a.js` because nobody uses it.", ["deleted src/a.js"]],
  ["I deleted the `src/a.js` file.", ["deleted src/a.js"]],
  ["I added the `src/a.js` helper module.", ["added src/a.js"]],
])(
  "what a program does, or is done to what belongs to a file, is no deed of it: %s",
  (sentence, expected) => {
    expect(deeds(sentence)).toEqual(expected);
  },
);
