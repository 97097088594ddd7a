import { expect, test } from "vitest";
import { documents } from "../../../src/scan/document/index.ts";
import { Finding } from "../../../src/schema/finding.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { review, titles } from "./review.ts";

const TREE = {
  "src/a.ts": "",
  "docs/guide.md": "# Guide\n\n## Set up\n\n## Set up\n\n### `npm ci` & *friends*, v1.2\n",
  "docs/img/logo.png": "",
  LICENSE: "",
  "package.json": "{}",
};
const page = (text: string, path = "README.md"): string[] => titles({ ...TREE, [path]: text });

test("a link to a missing file is found, with its line quoted", () => {
  const text = "# Title\n\nSee [the guide](docs/guide.md) and [more](docs/more.md).\n";
  const { found } = review({ ...TREE, "README.md": text });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    title: "The link to docs/more.md leads to no file",
    priority: "P3",
    category: "broken-link",
    citations: [
      {
        file: "README.md",
        line: 3,
        quote: "See [the guide](docs/guide.md) and [more](docs/more.md).",
      },
    ],
  });
  expect(Finding.safeParse({ id: "DOC-001", ...found[0] }).success).toBe(true);
});

test.each([
  ["a picture", "![logo](docs/img/gone.png)"],
  ["a definition", "[ref]: docs/gone.md"],
  ["angle brackets", "[a](<docs/gone file.md>)"],
  ["a title", '[a](docs/gone.md "the title")'],
  ["a folder", "[a](docs/gone/)"],
  ["the root", "[a](/docs/gone.md)"],
  ["HTML", '<img width="10" src="docs/gone.png">'],
  ["a picture in a link", "[![b](docs/gone.svg)](docs/guide.md)"],
  ["encoded characters", "[a](docs/gone%20file.md)"],
  ["a list in a list", "- a\n    - see [b](docs/gone.md)"],
])("a broken link written with %s is found", (_, text) => {
  expect(page(text)).toHaveLength(1);
});

test("links are resolved from the page's own folder", () => {
  expect(page("[a](guide.md) [b](../src/a.ts) [c](./img/logo.png)", "docs/x.md")).toEqual([]);
  expect(page("[a](docs/guide.md)", "docs/x.md")).toEqual([
    "The link to docs/guide.md leads to no file",
  ]);
});

test("the same broken link is said once for a page", () => {
  expect(page("[a](docs/gone.md)\n\n[b](docs/gone.md)\n")).toHaveLength(1);
});

test("an anchor without a heading is found, on the page and on another", () => {
  expect(page("# One\n\n[a](#two) [b](docs/guide.md#nope)\n")).toEqual([
    "The link to #two leads to no heading",
    "The link to docs/guide.md#nope leads to no heading",
  ]);
});

test.each([
  "[a](docs/guide.md#set-up) [b](docs/guide.md#set-up-1)",
  "[a](docs/guide.md#npm-ci--friends-v12)",
  "# A: b/c (d)\n[x](#a-bc-d)",
  "# Größe & Maß\n[x](#größe--maß)",
  "# Größe\n[x](#gr%C3%B6%C3%9Fe)",
  "# snake_case_name\n[x](#snake_case_name)",
  "# [Linked](http://x.internal) text\n[x](#linked-text)",
  "# :rocket: Start\n[x](#rocket-start) [y](#-start)",
  "Setext\n======\n\nLower\n-----\n[x](#setext) [y](#lower)",
  "# Closed ##\n[x](#closed)",
  "# Custom {#own-id}\n[x](#own-id)",
  '<a name="here"></a>\n[x](#here)',
  '<h2 id="there">T</h2>\n[x](#there)',
  "# One\n[x](#One) [y](#top) [z](src/a.ts#L10)",
  "> # Quoted\n[x](#quoted)",
])("the anchor works: %j", (text) => {
  expect(page(text)).toEqual([]);
});

test("a heading in a fence gives no anchor", () => {
  expect(page("```\n# Inside\n```\n[x](#inside)")).toHaveLength(1);
});

test.each([
  "[a](https://example.internal/x.md) [b](mailto:a@b.c) [c](//x.y/z.md) [d](www.x.y/z.md)",
  "[a](docs/) [b](docs) [c](./) [d](LICENSE) [e](docs/guide)",
  "[a](../../issues/4) [b](../../wiki)",
  "[a](dist/index.js) [b](node_modules/x/y.md) [c](coverage/index.html)",
  "[a](docs/api.html)",
  "[a](docs/<name>.md) [b](docs/{id}.md) [c](docs/*.md) [d]($HOME/x.md)",
  "[a](path/to/file.md) [b](docs/your-page.md)",
  "`[a](docs/gone.md)` and ``[b](docs/gone.md)``",
  "```md\n[a](docs/gone.md)\n```",
  "~~~\n[a](docs/gone.md)\n~~~",
  "- item\n\n  ```\n  [a](docs/gone.md)\n  ```",
  "text\n\n    [a](docs/gone.md)\n",
  "<!-- [a](docs/gone.md) -->",
  "<!--\n[a](docs/gone.md)\n-->",
  "[^1]: docs/gone.md is a footnote",
  "[a](docs/100%.md)",
  "[a](/pricing) [b](/docs/gone)",
  "call(items[0])(docs/gone.md)",
  "---\ntitle: [a](docs/gone.md)\n---\n",
])("nothing is said about %j", (text) => {
  expect(page(text)).toEqual([]);
});

test("a file that git ignores is not called missing", () => {
  const files = { ...TREE, ".gitignore": "*.log\n/local\nsecrets.yml\n" };
  const text = "[a](docs/x.log) [b](local/a.md) [c](docs/secrets.yml)";
  expect(titles({ ...files, "README.md": text })).toEqual([]);
});

test("pages that are somebody else's or test data are not covered", () => {
  const { covers } = documents(new Set());
  expect(["README.md", "docs/a.mdx", "package.json", "Makefile", ".gitignore"].every(covers)).toBe(
    true,
  );
  expect(
    ["node_modules/a/README.md", "test/fixtures/a.md", "src/a.ts", "vendor/x.md"].some(covers),
  ).toBe(false);
});

test.each([
  "[",
  "](",
  "[a](",
  "`",
  "<a ",
  "# ",
  "> ",
  "<!--",
  "![a](b",
  "- ",
  "*_",
  "```\n",
  "[a]: ",
  "`a`",
  "<a href=",
  "# a\n",
])("a megabyte of %j is read in time", (part) => {
  const text = part.repeat(Math.floor(1_000_000 / part.length));
  const from = process.cpuUsage();
  page(text);
  page(text.replace(/(.{400})/g, "$1\n"));
  expect(processorMsSince(from)).toBeLessThan(20_000);
});

test("a page too long to read is named as skipped", () => {
  const { skipped } = review({ "a.md": "x".repeat(2_000_001) });
  expect(skipped).toEqual([{ path: "a.md", why: "longer than 2000000 characters" }]);
});
