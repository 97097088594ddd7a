import { expect, test } from "vitest";
import { review, titles } from "./review.ts";

const TREE = {
  "src/ledger/local.ts": "",
  "src/index.ts": "",
  "docs/guide.md": "",
  "scripts/run.mjs": "",
};
const page = (text: string, path = "README.md"): string[] => titles({ ...TREE, [path]: text });

test("a path in inline code that does not exist is found", () => {
  const { found } = review({ ...TREE, "README.md": "Reading is in `src/ledger/remote.ts`.\n" });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    title: "src/ledger/remote.ts is mentioned and does not exist",
    priority: "P3",
    category: "missing-file",
    citations: [{ file: "README.md", line: 1, quote: "Reading is in `src/ledger/remote.ts`." }],
  });
});

test("a line number after the path makes no difference", () => {
  expect(page("See `src/ledger/gone.ts:42`.")).toHaveLength(1);
  expect(page("See `src/ledger/local.ts:42`.")).toEqual([]);
});

test("a path whose folder is gone is found where the folder above is there", () => {
  expect(page("See `src/memory/store.ts`.")).toHaveLength(1);
});

test.each([
  "See `src/ledger/local.ts` and `./src/index.ts`.",
  "See `ledger/local.ts`.",
  "See `lodash/fp.js` and `application/x.json`.",
  "See `src/*.ts`, `src/<name>.ts`, `src/{a,b}.ts` and `src/$x.ts`.",
  "See `path/to/file.ts` and `src/foo.ts` and `src/my-page.ts`.",
  "See `dist/src/x.js` and `node_modules/a/b.js`.",
  "The build creates `src/made.ts`.",
  "`src/gone.ts` was removed in version 2.",
  "Add a file such as `src/thing.ts`.",
  "See `src/ledger/` and `src/ledger/remote`.",
  "See `https://x.internal/src/gone.ts`.",
  "See `import x from src/gone.ts`.",
  "See ``src/gone.ts`` `` in `code`.".replace("``src/gone.ts`` `` in ", ""),
  "```\nsrc/gone.ts\n`src/gone.ts`\n```",
  "See `../other/src/gone.ts`.",
])("nothing is said about %j", (text) => {
  expect(page(text)).toEqual([]);
});

test.each([
  "CHANGELOG.md",
  "docs/decisions/0001.md",
  "docs/adr/1.md",
  "HISTORY.md",
  "docs/migration.md",
])("%s is about what was, so its paths are left alone", (path) => {
  expect(page("See `src/ledger/remote.ts`.", path)).toEqual([]);
});

test("a path is also looked for beside the page", () => {
  expect(
    titles({ ...TREE, "docs/img/a.svg": "", "docs/x.md": "See `img/a.svg` and `img/b.svg`." }),
  ).toEqual(["img/b.svg is mentioned and does not exist"]);
});
