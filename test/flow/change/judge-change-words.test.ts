import { expect, test } from "vitest";
import { judgeChangeWords } from "../../../src/flow/change/judge-change-words.ts";
import { isTestName } from "../../../src/scan/kind/index.ts";
import { textTree } from "../../verify/text-tree.ts";

type Files = Readonly<Record<string, string | null>>;

const BASE: Files = {
  "package.json": '{ "name": "shop", "dependencies": { "ms": "^2.1.0" } }\n',
  "requirements.txt": "pyyaml==6.0\n",
  "src/cart.js": "export function total(cart) {\n  return cart.length;\n}\n",
  "src/parse.js": "export const parse = (text) => text;\n",
  "test/cart.test.js": 'test("a", () => {});\n',
};
const FILES = { isTest: isTestName, mayBe: () => undefined };

async function judged(text: string, now: Files, before: Files = BASE): Promise<string[]> {
  const trees = [textTree({ ...before, ...now }), textTree(before)];
  const changed = Object.entries(now).map(([path, one]) => {
    const how = one === null ? "deleted" : before[path] === undefined ? "added" : "modified";
    return { path, how } as const;
  });
  const found = await judgeChangeWords(text, { trees, changed }, FILES);
  return found.map(({ verdict, why }) => `${verdict}: ${why}`);
}

const WITH_ZOD = BASE["package.json"]?.replace('"ms"', '"zod": "^3.0.0", "ms"') ?? "";
const CART = `${BASE["src/cart.js"]}export function removeItem() {}\n`;
const NEW_TESTS = `${BASE["test/cart.test.js"]}test("b", () => {});\ntest("c", () => {});\n`;

test.each<[string, Files, string[]]>([
  [
    "Added `zod` to `package.json`.",
    { "package.json": WITH_ZOD },
    ["confirmed: package.json names zod, and did not before"],
  ],
  [
    "Added `zod` to `package.json`.",
    { "package.json": "{}\n" },
    ["refuted: package.json does not name zod"],
  ],
  [
    "Added `ms` to `package.json`.",
    { "src/cart.js": CART },
    ["unverified: package.json names ms as it did before"],
  ],
  ["Added `PyYAML` to `requirements.txt`.", { "requirements.txt": "pyyaml==6.1\n" }, []],
  [
    "I added `uuid` as a dependency.",
    { "src/cart.js": CART },
    ["unverified: what the project needs does not name uuid"],
  ],
  [
    "Removed `ms` from `package.json`.",
    { "src/cart.js": CART },
    ["refuted: package.json still names ms"],
  ],
  [
    "Removed `ms` from the dependencies.",
    { "package.json": "{}\n" },
    ["confirmed: ms is no longer in what the project needs"],
  ],
  [
    "Removed `ms` from the dependencies.",
    { "src/cart.js": CART },
    ["unverified: package.json still names ms"],
  ],
  [
    "No new dependencies were added.",
    { "package.json": WITH_ZOD },
    ["refuted: package.json names zod now"],
  ],
  ["No new dependencies were added.", { "src/cart.js": CART }, []],
  ["No new runtime dependencies were added.", { "package.json": WITH_ZOD }, []],
  ["There are no dependencies between them.", { "package.json": WITH_ZOD }, []],
])("what a project needs: %s", async (text, now, expected) => {
  expect(await judged(text, now)).toEqual(expected);
});

test("a bare name is of any file that is called so", async () => {
  const now = { "web/package.json": WITH_ZOD };
  expect(await judged("Added `zod` to `package.json`.", now)).toEqual([
    "confirmed: package.json names zod, and did not before",
  ]);
});

test.each<[string, Files, string[]]>([
  [
    "Added `removeItem()` to `src/cart.js`.",
    { "src/cart.js": CART },
    ["confirmed: src/cart.js has removeItem, and had it not before"],
  ],
  [
    "Added `addItem()` to `src/cart.js`.",
    { "src/cart.js": CART },
    ["unverified: nothing in src/cart.js is called addItem"],
  ],
  [
    "I added `removeItem()`.",
    { "src/cart.js": CART },
    ["confirmed: removeItem is there, and was not before"],
  ],
  [
    "I updated `parse()`.",
    { "src/cart.js": CART },
    ["unverified: no file that was changed has parse in it"],
  ],
  ["Fixed the bug in `total()`.", { "src/cart.js": CART }, []],
  [
    "Fixed the bug in `total()`.",
    {},
    ["refuted: nothing was changed, and so not src/cart.js, where total is"],
  ],
  ["Fixed the bug in `sum()`.", {}, ["unverified: nothing in the source is called sum"]],
])("functions: %s", async (text, now, expected) => {
  expect(await judged(text, now)).toEqual(expected);
});

test.each<[string, Files, string[]]>([
  [
    "`src/cart.js` was not modified.",
    { "src/cart.js": CART },
    ["refuted: src/cart.js was modified"],
  ],
  [
    "`src/cart.js` was not modified.",
    { "src/parse.js": "" },
    ["confirmed: the change does not touch src/cart.js"],
  ],
  ["`src/gone.js` was not modified.", {}, ["unverified: there is no file src/gone.js"]],
  [
    "I did not delete `src/cart.js`.",
    { "src/cart.js": CART },
    ["confirmed: the change does not take away src/cart.js"],
  ],
  [
    "I did not delete `src/cart.js`.",
    { "src/cart.js": null },
    ["refuted: src/cart.js was deleted"],
  ],
])("files that are as they were: %s", async (text, now, expected) => {
  expect(await judged(text, now)).toEqual(expected);
});

test.each<[string, Files, string[]]>([
  [
    "Added 2 tests.",
    { "test/cart.test.js": NEW_TESTS },
    ["confirmed: 2 more tests are written in its files of tests"],
  ],
  [
    "Added 3 tests.",
    { "test/cart.test.js": NEW_TESTS },
    ["unverified: 2 more tests are written in its files of tests"],
  ],
  ["Added 3 tests.", { "src/cart.js": CART }, ["refuted: no file of tests was added to or made"]],
  [
    "Somebody added tests for it.",
    { "src/cart.js": CART },
    ["unverified: no file of tests was added to or made"],
  ],
  ["The suite includes 12 tests.", { "src/cart.js": CART }, []],
  ["I wrote a test plan.", { "src/cart.js": CART }, []],
])("added tests: %s", async (text, now, expected) => {
  expect(await judged(text, now)).toEqual(expected);
});
