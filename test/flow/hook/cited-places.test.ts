import { expect, test } from "vitest";
import { judgePlaces } from "../../../src/flow/hook/cited-places.ts";
import type { SourceTree } from "../../../src/verify/citation/index.ts";

const FILES: Readonly<Record<string, string>> = {
  "src/format.js": "export function euros(cents) {\n  return cents / 100;\n}\n",
  "src/no-end.js": "one\ntwo",
  "src/empty.js": "",
};
const TREE: SourceTree = {
  find: async (path) => {
    if (path === "src/huge.bin") return { kind: "too-large", size: 1 << 30 };
    const text = FILES[path];
    return text === undefined
      ? { kind: "absent" }
      : { kind: "file", bytes: Buffer.from(text), at: "head" };
  },
  paths: async () => Object.keys(FILES),
};
const judged = async (message: string) =>
  (await judgePlaces(message, [TREE], "")).map(
    ({ place, state, why }) => `${state} ${place}: ${why}`,
  );

test("a place in a file that is not there is missing, in quotes and without them", async () => {
  for (const place of ["`src/pay.ts:12`", "src/pay.ts:12"]) {
    expect(await judged(`All tests pass. See ${place}.`)).toEqual([
      "missing src/pay.ts:12: there is no file src/pay.ts",
    ]);
  }
  // A line of a log, of files that no tree has: nobody knows, and it is not there either.
  expect(await judged("at node_modules/x/y.js:3")).toEqual([
    "unknown node_modules/x/y.js:3: there is no file node_modules/x/y.js",
  ]);
  expect(await judged("See `src/huge.bin:1`.")).toEqual([
    "unknown src/huge.bin:1: src/huge.bin could not be looked at",
  ]);
});

test("lines are counted as everywhere else", async () => {
  const there = "the place is there; what is said of it was not looked up";
  expect(await judged("`src/format.js:3` and `src/format.js:4`")).toEqual([
    `there src/format.js:3: ${there}`,
    "missing src/format.js:4: src/format.js has 3 lines",
  ]);
  expect(await judged("`src/no-end.js:2`, `src/no-end.js:3`, `src/empty.js:1`")).toEqual([
    `there src/no-end.js:2: ${there}`,
    "missing src/no-end.js:3: src/no-end.js has 2 lines",
    "missing src/empty.js:1: src/empty.js has 0 lines",
  ]);
});

test("the past excuses its own sentence, and leaves a doubt", async () => {
  const now = "Validation happens at `src/format.js:99`.";
  const missing = "missing src/format.js:99: src/format.js has 3 lines";
  expect(await judged(`No tests were removed. ${now}`)).toEqual([missing]);
  expect(await judged(`Removed dead code; ${now}`)).toEqual([missing]);
  expect(await judged("The bug was in `src/format.js:99`.")).toEqual([
    "unknown src/format.js:99: src/format.js has 3 lines",
  ]);
  expect(await judged(`It was in \`src/format.js:99\`. ${now}`)).toEqual([missing]);
  expect(await judged("It was in `src/format.js:2`.")).toEqual([
    expect.stringMatching(/^there src\/format\.js:2/),
  ]);
});

test("what a place is said to hold is looked up", async () => {
  const isIn = (quote: string) => judged(`Line \`src/format.js:2\` says \`${quote}\`.`);
  expect(await isIn("cents / 100")).toEqual(["there src/format.js:2: it is there, as quoted"]);
  expect(await isIn('return "nonsense"')).toEqual([
    "missing src/format.js:2: src/format.js does not hold what is quoted",
  ]);
  const block = (text: string) => `In \`src/format.js:1\`:\n\n\`\`\`js\n${text}\n\`\`\`\n`;
  expect(await judged(block("export function euros(cents) {"))).toEqual([
    "there src/format.js:1: it is there, as quoted",
  ]);
  expect(await judged(block("return neverThere();"))).toEqual([
    "missing src/format.js:1: src/format.js does not hold what is quoted",
  ]);
  const far = `${"x\n".repeat(50)}far();\n`;
  const tree: SourceTree = {
    find: async () => ({ kind: "file", bytes: Buffer.from(far), at: "head" }),
    paths: async () => ["src/far.js"],
  };
  const [found] = await judgePlaces("`src/far.js:2` is `far();`", [tree], "");
  expect(found?.state).toBe("unknown");
});
