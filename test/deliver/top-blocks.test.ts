import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, test } from "vitest";
import { topBlocks } from "../../src/deliver/top-blocks.ts";
import { expectLinear } from "../cost-growth.ts";

const WORDS = "Words of no consequence that go on for a while. ".repeat(30);

test("the pieces of a long document give the blocks that the whole gives", () => {
  const block = fc.constantFrom(
    "a line of words",
    "# A heading of words #",
    "> quoted words and more",
    "```\n# no heading\n\n- no item\n```",
    "<!-- a comment of words -->",
    "<div>\nwords of it\n</div>",
    "- an item of words\n\n  ```\n  code of it\n  ```",
    "A heading of words\n===",
    "[ref]: /some/url\n</pre>\nwords of it",
    "    indented words",
    "- item\n  ```\n2) two",
    "---",
    "```\nnever closed",
    "<!-- never closed",
    WORDS,
  );
  const document = fc
    .array(fc.tuple(block, fc.constantFrom("\n", "\n\n")), { maxLength: 30 })
    .map((parts) => parts.flat().join(""));
  // A list may come in parts, and a definition goes with what is below it.
  const isCompared = (type: string) => type !== "list" && type !== "definition";
  fc.assert(
    fc.property(document, (text) => {
      const whole = fromMarkdown(text).children.map(({ type }) => type);
      const blocks = [...topBlocks(text)];
      expect(blocks.map(({ type }) => type).filter(isCompared)).toEqual(whole.filter(isCompared));
      const written = text.split("\n").filter((line) => line.trim() !== "");
      const given = blocks.flatMap(({ source }) => source.split("\n"));
      expect(given.filter((line) => line.trim() !== "")).toEqual(written);
    }),
    { numRuns: 150 },
  );
});

test("a block is given as it is written", () => {
  const text = "- [ ] **words and more words** in `a.ts`  \n  more words\n\n<!-- x -->\n";
  expect([...topBlocks(text)]).toEqual([
    { type: "list", source: "- [ ] **words and more words** in `a.ts`  \n  more words" },
    { type: "html", source: "<!-- x -->" },
  ]);
});

test("ten times the document costs about ten times as much", () => {
  const part = `<!-- one -->\n\n- [ ] **title** in \`a.ts\`\n\n  ${WORDS}\n\n<!-- two -->\n\n`;
  const documents = { 1: part.repeat(50), 10: part.repeat(500) };
  expectLinear((times) => {
    for (const block of topBlocks(documents[times])) expect(block.type).toBeDefined();
  });
});
