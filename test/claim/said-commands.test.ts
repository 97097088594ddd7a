import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";

const commands = (text: string): string[] =>
  saidWork(text).flatMap((said) =>
    said.kind === "command" ? `${said.command}${said.isPassed ? " passed" : ""}` : [],
  );

test.each([
  ["`npm run lint` passes.", ["npm run lint passed"]],
  ["- ✅ `npm run lint` is clean", ["npm run lint passed"]],
  ["`npm run build` succeeds, too", ["npm run build passed"]],
  ["`npx tsc` finishes without errors.", ["npx tsc passed"]],
  ["`make build` exits with code 0.", ["make build passed"]],
  ["`npm run lint` and `npm test` pass.", ["npm run lint passed"]],
  [
    "`npm run a`, `npm run b` and `npm run c` all pass",
    ["a", "b", "c"].map((x) => `npm run ${x} passed`),
  ],
  ["I ran `npm run lint`.", ["npm run lint"]],
  ["I ran `eslint .`.", ["eslint ."]],
  ["`eslint src` is clean.", ["eslint src passed"]],
  ["I ran `ruff check .` and `mypy .`", ["ruff check .", "mypy ."]],
  ["I ran `flake8 .` without warnings.", ["flake8 . passed"]],
  [
    "Ran `odd-linter --all src` and `other-tool` to be sure.",
    ["odd-linter --all src", "other-tool"],
  ],
  ["I executed `./scripts/check.sh`.", ["./scripts/check.sh"]],
  ["I used `black src` to format it.", ["black src"]],
  ["I ran `npm run lint` before committing.", ["npm run lint"]],
  ["I have run `npm run lint`.", ["npm run lint"]],
  ["I ran `npm ci`; `npm run lint` passes.", ["npm ci", "npm run lint passed"]],
])("%s", (text, expected) => {
  expect(commands(text)).toEqual(expected);
});

test.each([
  "`npm run lint` fails.",
  "`npm run lint` does not pass.",
  "`npm run lint` passes the config to the linter.",
  "`npm run lint` passes when the cache is warm.",
  "`git push` succeeds if the remote is there.",
  "`npm run lint` should pass.",
  "Does `npm run lint` pass?",
  "Make sure `npm run lint` passes.",
  "- [ ] `npm run lint` passes",
  "`npm run lint` passes on main.",
  "`parse` passes.",
  "See `npm run lint`.",
  "I used `Map` for it, and `node`.",
  "I ran `parse()` on it, then `cd src` and `export A=1`.",
  "I ran `x = 1; y` in a console, and executed `select 1`.",
  "The old script ran `odd-linter src` twice.",
  "Add tests in `test/a.test.js`, then run `npm run lint`.",
])("no command is said to have passed: %s", (text) => {
  expect(commands(text)).toEqual([]);
});

test("what runs tests and passes is said of the tests, once", () => {
  expect(saidWork("`npm test` passes.")).toMatchObject([{ kind: "tests" }]);
  expect(saidWork("`cargo test --all` succeeds")).toMatchObject([{ kind: "tests" }]);
});
