import { expect, test } from "vitest";
import { updateDeeds } from "../../../src/flow/hook/update-deeds.ts";

const deeds = (message: string): string[] =>
  updateDeeds(message).flatMap((said) => (said.kind === "file" ? `${said.how} ${said.path}` : []));

test.each([
  ["Update `src/a.js`", ["modified src/a.js"]],
  ["update the file `./src/a.js`.", ["modified src/a.js"]],
  ["feat(api)!: modify `src/a.js` so that it fits", ["modified src/a.js"]],
  [
    "Change `src/a.js`, `b.js` and `LICENSE`",
    ["modified src/a.js", "modified b.js", "modified LICENSE"],
  ],
  ["Refactor `src/a.js`: one pass is enough", ["modified src/a.js"]],
  ["Subject\n\nWords first. Edit `src/a.js` for it.", ["modified src/a.js"]],
])("%s", (message, expected) => {
  expect(deeds(message)).toEqual(expected);
});

test.each([
  "Update `src/a.js` references",
  "Update `src/a.js` in the guide",
  "Update the tests of `src/a.js`",
  "Change `src/a.js` to `src/b.js`",
  "Update `user.name`",
  "Update src of `a/b`",
  "Do not update `src/a.js`",
  'Revert "Update `src/a.js`"',
  "Subject\n\nand so we\nupdate `src/a.js`",
  "Subject\n\n```\nUpdate `src/a.js`\n```",
])("nothing is said of a whole file: %s", (message) => {
  expect(deeds(message)).toEqual([]);
});

test("a message of any length and shape is read in time", () => {
  for (const part of ["`a/b.js`, ", "- Update `a/b.js`\n", "Update `", "`", "```\n", "a. B"]) {
    const start = performance.now();
    deeds(`Update ${part.repeat(30_000)}`);
    expect(performance.now() - start).toBeLessThan(3_000);
  }
});
