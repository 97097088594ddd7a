import { expect, test } from "vitest";
import { commitDeeds } from "../../src/claim/index.ts";

const deeds = (message: string): string[] =>
  commitDeeds(message).flatMap((said) => (said.kind === "file" ? `${said.how} ${said.path}` : []));

test.each([
  ["Add src/ghost.js", ["added src/ghost.js"]],
  ["Add `src/ghost.js`", ["added src/ghost.js"]],
  ["Added src/ghost.js.", ["added src/ghost.js"]],
  ["add ./src/ghost.js", ["added src/ghost.js"]],
  ["Create a new file src/ghost.js", ["added src/ghost.js"]],
  ["feat(api): add src/ghost.js", ["added src/ghost.js"]],
  ["Add src/a.js, src/b.js and `c.js`", ["added src/a.js", "added src/b.js", "added c.js"]],
  ["Add src/a.js and its tests", ["added src/a.js"]],
  ["Add src/a.js with a parser", ["added src/a.js"]],
  ["Remove src/a.js", ["deleted src/a.js"]],
  ["Delete the unused file `src/a.js`.", ["deleted src/a.js"]],
  ["Rename src/a.js to src/b.js", ["deleted src/a.js", "added src/b.js"]],
  ["Move `src/a.js` into `lib/`", ["deleted src/a.js"]],
  ["Subject\n\n- Add src/a.js\n- Remove src/b.js", ["added src/a.js", "deleted src/b.js"]],
  ["Subject\n\nWords first. Add src/a.js.", ["added src/a.js"]],
])("%s", (message, expected) => {
  expect(deeds(message)).toEqual(expected);
});

test.each([
  "Add tests for src/a.js",
  "Add src/a.js to the build",
  "Add src/a.js and src/b.js to coverage",
  "Add src/a.js tests",
  "Add src/a.js's missing export",
  "Add src/a.js: handle empty input",
  "Add src/a.js if it is missing",
  "Add src/a.js-like modules",
  "Add missing import in src/a.js",
  "Add a comment to `src/a.js`",
  "Remove src/a.js from the list of tests",
  "Remove dead code in src/a.js",
  "Remove src/a.js imports",
  "Remove src/a.js: one branch is dead",
  "Remove `foo` from `src/a.js`",
  "Delete rows of src/a.js",
  "Move src/a.js to the end of the list",
  "Move the parser from src/a.js to src/b.js",
  "Rename foo to bar in src/a.js",
  "Rename src/a.js exports to src/b.js style",
  "Add Node.js",
  "Add `user.name.first to x`",
  "Add gopkg.in/yaml.v3/a.go",
  "Add @scope/lodash.js",
  "Add and/or semantics",
  "Add https://example.org/src/a.js",
  "Add src/a.js?",
  'Revert "Add src/a.js"',
  "fixup! Add src/a.js",
  "Do not add src/a.js",
  "Subject\n\nFrom now on hooks\nadd src/a.js",
  "Subject\n\nWe also had to\nAdd src/a.js",
  "Subject\n\n- Add src/a.js\n  to the build",
  "Subject\n\n- Add src/tmp.js\n- Remove src/tmp.js",
  "Subject\n\n```\nAdd src/a.js\n```",
])("nothing is said of a whole file: %s", (message) => {
  expect(deeds(message)).toEqual([]);
});

test("a message of any length and shape is read in time", () => {
  for (const part of ["a/", "Add a/b.js, ", "- Add ", "`", "```\n", "Add `a.b"]) {
    const start = performance.now();
    deeds(`Add ${part.repeat(30_000)}`);
    expect(performance.now() - start).toBeLessThan(3_000);
  }
});
