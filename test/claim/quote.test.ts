import { expect, test } from "vitest";
import { read } from "./report.ts";

/** The citations of one finding at `a.ts:10` with this evidence. */
function cited(code: string, language = "", place = "`a.ts:10`") {
  const lines = code.split("\n").map((line) => `  ${line}`);
  const text = `## P1\n\n- **[A-1] T** in ${place}\n  **Rune Trace:**\n  \`\`\`\`${language}\n${lines.join("\n")}\n  \`\`\`\`\n`;
  return read(text).findings[0]?.citations;
}

test.each([
  "// Lines 9-11 of a.ts",
  "# Lines 9-11 of a.ts",
  "-- Lines 9-11 of a.ts",
  "/* Lines 9-11 of a.ts */",
  "<!-- Lines 9-11 of a.ts -->",
  "; lines 9–11 of `a.ts`",
  "// Lines 9 to 11 of a.ts",
  "// Lines 9-11",
  "// a.ts:9-11",
  "Lines 9-11 of a.ts",
])("%s tells the true lines and is no part of the quote", (comment) => {
  expect(cited(`${comment}\nx()`)).toEqual([{ file: "a.ts", line: 9, end_line: 11, quote: "x()" }]);
});

test.each([
  "// a.ts",
  "// Lines of code",
  "const lines = 3;",
  "Lines 9-11",
  "// see line 3 of the log",
])("%s is code like any other", (line) => {
  expect(cited(`${line}\nx()`)).toEqual([{ file: "a.ts", line: 10, quote: `${line}\nx()` }]);
});

test("a comment about another file makes a place of its own", () => {
  expect(cited("// Lines 1-2 of b.ts\nx()")).toEqual([
    { file: "a.ts", line: 10 },
    { file: "b.ts", line: 1, end_line: 2, quote: "x()" },
  ]);
});

test("the comment may name the file's end only, and gives the file where the head has none", () => {
  expect(cited("// Lines 9-11 of a.ts\nx()", "", "`src/a.ts:10`")).toEqual([
    { file: "src/a.ts", line: 9, end_line: 11, quote: "x()" },
  ]);
  expect(cited("// Lines 9-11 of src/a.ts\nx()", "", "the login")).toEqual([
    { file: "src/a.ts", line: 9, end_line: 11, quote: "x()" },
  ]);
});

test("several comments in one block are several quotes", () => {
  expect(cited("// Lines 9-10 of a.ts\nx()\n\n// Lines 20-21 of a.ts\ny()")).toEqual([
    { file: "a.ts", line: 9, end_line: 10, quote: "x()" },
    { file: "a.ts", line: 20, end_line: 21, quote: "y()" },
  ]);
});

test.each([
  ["9: x()\n10: y()", "x()\ny()"],
  ["9 | x()\n10 |   y()", "x()\n  y()"],
  ["  9\tx()\n 10\t\ty()", "x()\n\ty()"],
  ["9→x()\n10→", "x()\n"],
])("line numbers in front of every line go: %j", (code, quote) => {
  expect(cited(code)).toEqual([{ file: "a.ts", line: 9, end_line: 10, quote }]);
});

test.each([
  ["9: x()\ny()", "not every line has one"],
  ["10: x()\n9: y()", "they do not ascend"],
  ["1: x\n2: y", "they are not around the cited line"],
])("other numbers stay: %j, because %s", (code) => {
  expect(cited(code)).toEqual([{ file: "a.ts", line: 10, quote: code }]);
});

test.each([
  ["+ x()\n+   y()", "", "x()\n  y()"],
  ["+x()\n+  y()", "", "x()\n  y()"],
  ["-old()\n+x()", "", "x()"],
  [" a()\n-old()\n+x()", "diff", "a()\nx()"],
  ["@@ -1 +1 @@\n-gone()", "diff", "gone()"],
])("diff marks in front of every line go: %j", (code, language, quote) => {
  expect(cited(code, language)?.[0]?.quote).toBe(quote);
});

test.each(["- a\n- b", "+ x()\ny()", "a\n+ b"])("other marks stay: %j", (code) => {
  expect(cited(code)?.[0]?.quote).toBe(code);
});

test("a fence in a longer fence, an indented block and a fence without an end are evidence", () => {
  expect(cited("```\nx()\n```")?.[0]?.quote).toBe("```\nx()\n```");
  const indented = "## P1\n\n- **[A-1] T** in `a.ts:1`\n\n      x()\n      y()\n";
  expect(read(indented).findings[0]?.citations[0]?.quote).toBe("x()\ny()");
  const open = "## P1\n\n- **[A-1] T** in `a.ts:1`\n  ```\n  x()\n";
  expect(read(open).findings[0]?.citations[0]?.quote).toBe("x()");
});

test("evidence in one line of prose is a quote or a place", () => {
  const quoted = "## P1\n\n- **[A-1] T** in `a.ts:1`\n  - **Evidence:** `eval(x)`\n";
  expect(read(quoted).findings[0]?.citations).toEqual([
    { file: "a.ts", line: 1, quote: "eval(x)" },
  ]);
  const placed = "## P1\n\n- **[A-1] T**\n  - **Evidence:** `a.ts:1`\n";
  expect(read(placed).findings[0]?.citations).toEqual([{ file: "a.ts", line: 1 }]);
});

/** The quotes of a finding under a heading, where nobody says what its block is. */
function unlabelled(code: string) {
  const text = `## High\n\n### Bug in \`a.ts:10\`\n\nPaid too early.\n\n\`\`\`diff\n${code}\n\`\`\`\n`;
  return read(text).findings[0]?.citations.map(({ quote }) => quote);
}

test("a diff that nobody calls evidence proposes: what it takes away stands in the source", () => {
  expect(unlabelled("-old()\n+x()")).toEqual(["old()"]);
  expect(unlabelled("--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,2 @@\n a()\n-old()\n+x()")).toEqual([
    "a()\nold()",
  ]);
  expect(unlabelled("+x()")).toEqual([undefined]);
});

test("a name with a dot in a title gives way to a line of a file", () => {
  const text =
    "### 1. Mutable default in `store.backup` (High)\n\n`tally/store.py:11`: `def backup(a, seen=[]):`\n";
  expect(read(text).findings[0]?.citations).toEqual([{ file: "tally/store.py", line: 11 }]);
  const alone = "### 1. Mutable default in `store.backup` (High)\n\nIt grows.\n";
  expect(read(alone).findings[0]?.citations).toEqual([{ file: "store.backup" }]);
});
