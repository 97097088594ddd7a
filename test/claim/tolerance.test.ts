import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";
import { read } from "./report.ts";

const under = (text: string): string => `## P2 (High)\n\n${text}\n`;
const heads = (text: string) =>
  read(under(text)).findings.map(({ id, title, citations: [cited] }) => [
    id,
    title,
    `${cited?.file}:${cited?.line ?? ""}${cited?.end_line === undefined ? "" : `-${cited.end_line}`}`,
  ]);

test.each([
  ["a star", "* [ ] **[A-1] T** in `a.ts:3`"],
  ["a plus", "+ [ ] **[A-1] T** in `a.ts:3`"],
  ["a number", "1. **[A-1] T** in `a.ts:3`"],
  ["a number and a paren", "7) [ ] **[A-1] T** in `a.ts:3`"],
  ["a ticked box", "- [x] **[A-1] T** in `a.ts:3`"],
  ["no box", "- **[A-1] T** in `a.ts:3`"],
  ["no bold", "- [ ] [A-1] T in `a.ts:3`"],
  ["bold around the id alone", "- [ ] **[A-1]** T in `a.ts:3`"],
  ["bold around everything", "- [ ] **[A-1] T in `a.ts:3`**"],
  ["other bold", "- [ ] __[A-1] T__ in `a.ts:3`"],
  ["an id and a colon", "- A-1: T in `a.ts:3`"],
  ["a bold id and a colon", "- **A-1:** T in `a.ts:3`"],
  ["an id and a dash", "- **A-1** — T (`a.ts:3`)"],
  ["a heading", "### [A-1] T in `a.ts:3`"],
  ["a bold heading", "#### **[A-1] T** in `a.ts:3`"],
  ["a heading with a colon", "### A-1: T\n\n**Location:** `a.ts:3`"],
  ["a paragraph", "**[A-1] T** in `a.ts:3`"],
  ["a severity before the id", "- **[High] [A-1] T** in `a.ts:3`"],
  ["a picture before it", "- 🔴 **[A-1] T** in `a.ts:3`"],
  ["a closing heading mark", "### [A-1] T in `a.ts:3` ###"],
])("a finding may start with %s", (_, text) => {
  expect(heads(text)).toEqual([["A-1", "T", "a.ts:3"]]);
});

test("a file that a title only speaks of is not where the finding is", () => {
  expect(heads("- [ ] **[A-1] The link to gone.md leads to no file** in `a.md:3`")).toEqual([
    ["A-1", "The link to gone.md leads to no file", "a.md:3"],
  ]);
  expect(heads("- [ ] **[A-1] T in `b.ts:9`**, see `a.ts:3`")).toEqual([["A-1", "T", "b.ts:9"]]);
});

test("findings without an id are numbered, and past the ids that are taken", () => {
  const text =
    "- First in `a.ts:1`\n- **[X-2] Second** in `a.ts:2`\n- Third in `a.ts:3`\n- [CWE-79] Fourth in `a.ts:4`";
  expect(heads(text).map(([id]) => id)).toEqual(["X-1", "X-2", "X-3", "X-4"]);
});

test.each([
  ["`a/b.ts:10-20`", "a/b.ts:10-20"],
  ["`a/b.ts:10–20`", "a/b.ts:10-20"],
  ["`a/b.ts#L10-L20`", "a/b.ts:10-20"],
  ["`a/b.ts#L10`", "a/b.ts:10"],
  ["`a/b.ts:L10-L20`", "a/b.ts:10-20"],
  ["`a/b.ts:10:5`", "a/b.ts:10"],
  ["`a/b.ts` (lines 10–20)", "a/b.ts:10-20"],
  ["`a/b.ts (lines 10-20)`", "a/b.ts:10-20"],
  ["`a/b.ts`, line 10", "a/b.ts:10"],
  ["`a/b.ts` at line 10", "a/b.ts:10"],
  ["`a/b.ts`:10", "a/b.ts:10"],
  ["a/b.ts:10", "a/b.ts:10"],
  ["a/b.ts, line 10", "a/b.ts:10"],
  ["a/b.ts (lines 10–20)", "a/b.ts:10-20"],
  ["[a/b.ts:10](a/b.ts#L10)", "a/b.ts:10"],
  ["[b](a/b.ts#L10-L20)", "a/b.ts:10-20"],
  ["[b](https://example.org/o/r/blob/main/a/b.ts#L10)", "a/b.ts:10"],
  ["[b](a%20c/b.ts#L10)", "a c/b.ts:10"],
  ["`a/b.ts`", "a/b.ts:"],
  ["`Makefile:3`", "Makefile:3"],
  ["`app/[id]/page.tsx:3`", "app/[id]/page.tsx:3"],
  ["`bin/run:3`", "bin/run:3"],
  ["`run:3`", "run:3"],
  ["`C:\\a\\b.ts:3`", "C:\\a\\b.ts:3"],
  ["`a/b.ts:20-10`", "a/b.ts:20"],
])("the place may be written as %s", (place, expected) => {
  expect(heads(`- [ ] **[A-1] T** in ${place}`)).toEqual([["A-1", "T", expected]]);
});

test.each([
  "`res.send`",
  "http://example.org:80",
  "`127.0.0.1:3000`",
  "`foo(bar)`",
  "10:30",
  "and/or",
  "`a.ts\u0001`",
  "[here](https://example.org/)",
])("%s is no place", (text) => {
  const report = read(under(`- Something about ${text} that is wrong`));
  expect(report.findings).toEqual([]);
  expect(report.unread.map(({ line, why }) => [line, why])).toEqual([
    [3, "names no file, so that nothing can be checked"],
  ]);
});

test("a call in the title is not taken for the file", () => {
  expect(heads("- Unsafe `res.send` in `src/a.ts:3`")).toEqual([
    ["X-1", "Unsafe `res.send`", "src/a.ts:3"],
  ]);
});

test("several files in one finding are several places", () => {
  const [finding] = read(under("- [ ] **[A-1] T** in `a.ts:1`, `b.ts:2-3` and c/d.go:4")).findings;
  expect(finding?.citations).toEqual([
    { file: "a.ts", line: 1 },
    { file: "b.ts", line: 2, end_line: 3 },
    { file: "c/d.go", line: 4 },
  ]);
  const [several] = read(under("- [ ] **[A-1] T** in `a.ts:1,5-6`")).findings;
  expect(several?.citations).toEqual([
    { file: "a.ts", line: 1 },
    { file: "a.ts", line: 5, end_line: 6 },
  ]);
});

test.each([
  ["0.85", 85],
  ["85%", 85],
  ["85", 85],
  ["1.0", 100],
  ["8/10", 80],
  ["HIGH", 90],
  ["medium", 70],
  ["Low", 50],
  ["no idea", undefined],
  ["850%", undefined],
])("confidence %s is %s points", (written, points) => {
  const [finding] = read(
    under(`- **[A-1] T** in \`a.ts:1\`\n  - **Confidence:** ${written}`),
  ).findings;
  expect(finding?.confidence).toBe(points);
});

test("confidence in the head is not the priority", () => {
  const [finding] = read(under("- **[A-1] T** in `a.ts:1` (LOW confidence)")).findings;
  expect([finding?.confidence, finding?.priority, finding?.title]).toEqual([50, "P2", "T"]);
});

test("evidence may come before or after the issue, and code behind the fix is the fix", () => {
  const code = (text: string): string => `  \`\`\`ts\n  ${text}\n  \`\`\`\n`;
  const before = `- **[A-1] T** in \`a.ts:1\`\n${code("bad()")}  **Issue:** i\n  **Fix:**\n${code("good()")}`;
  const after = `- **[A-1] T** in \`a.ts:1\`\n  **Issue:** i\n  **Evidence:**\n${code("bad()")}  **Fix:** \n${code("good()")}`;
  for (const text of [before, after]) {
    const [finding] = read(under(text)).findings;
    expect(finding?.citations).toEqual([{ file: "a.ts", line: 1, quote: "bad()" }]);
    expect(finding?.issue).toBe("i");
    expect(finding?.fix).toBe("```ts\ngood()\n```");
  }
});

test("parts that are not indented still belong to the finding above", () => {
  const text =
    "- [ ] **[A-1] T** in `a.ts:1`\n\n**Rune Trace:**\n```\nx()\n```\n**Issue:** i\n\n**Fix:**\n- one\n- two\n\n- [ ] **[A-2] U** in `a.ts:2`";
  const { findings, unread } = read(under(text));
  expect(findings.map(({ id }) => id)).toEqual(["A-1", "A-2"]);
  expect(findings[0]?.citations[0]?.quote).toBe("x()");
  expect(findings[0]?.fix).toBe("one\n\ntwo");
  expect(unread).toEqual([]);
});

test("a heading's labelled items and headings are its parts", () => {
  const text =
    "### [A-1] T\n\n- **File:** `a.ts`\n- **Line:** 7\n- **Category:** SQL Injection\n\n#### Evidence\n\n```\nx()\n```\n\n#### Fix\n\nDo it.\n\n### [A-2] U in `b.ts:1`";
  const { findings } = read(under(text));
  expect(findings).toEqual([
    {
      id: "A-1",
      title: "T",
      priority: "P2",
      category: "sql-injection",
      citations: [{ file: "a.ts", line: 7, quote: "x()" }],
      fix: "Do it.",
    },
    { id: "A-2", title: "U", priority: "P2", citations: [{ file: "b.ts", line: 1 }] },
  ]);
});

test("headings that only group findings are no findings and not unread", () => {
  const { findings, unread } = read(under("### Login\n\n- Bad in `a.ts:1`\n- Worse in `b.ts:2`"));
  expect(findings.map(({ title }) => title)).toEqual(["Bad", "Worse"]);
  expect(unread).toEqual([]);
});

test("a heading without an id is a finding if it has what only findings have", () => {
  const full =
    "## Findings\n\n### 1. Weak hash\n\n**File:** `a.ts:3`\n\n**Severity:** High\n\n**Issue:** MD5.\n";
  expect(read(full).findings).toEqual([
    {
      id: "X-1",
      title: "Weak hash",
      priority: "P2",
      citations: [{ file: "a.ts", line: 3 }],
      issue: "MD5.",
    },
  ]);
  expect(read("## Scope\n\nFiles: `a.ts`, `b.ts`\n").findings).toEqual([]);
});

test("an underlined heading is a heading", () => {
  expect(read("Critical\n--------\n\n- Bad in `a.ts:1`\n").findings[0]?.priority).toBe("P1");
  expect(read("not\na heading\n--------\n\n- Fine in `a.ts:1`\n").findings).toEqual([]);
});

test.each([
  [
    "| ID | Severity | File | Line | Issue | Fix |",
    "| SEC-1 | Critical | `a.ts` | 3-4 | Bad | Do |",
  ],
  [
    "| Severity | Location | Finding | Recommendation | # |",
    "| P1 | a.ts:3-4 | **[SEC-1]** Bad | Do | 1 |",
  ],
])("a table of findings is read by its headings: %s", (heading, row) => {
  const rule = heading.replace(/[^|]+/g, "---");
  const { findings } = read(`## Findings\n\n${heading}\n${rule}\n${row}\n`);
  expect(
    findings.map(({ id, priority, citations, fix }) => ({ id, priority, citations, fix })),
  ).toEqual([
    { id: "SEC-1", priority: "P1", citations: [{ file: "a.ts", line: 3, end_line: 4 }], fix: "Do" },
  ]);
});

test("a table of other things holds no findings, and a row without a file is named", () => {
  expect(read("## Files\n\n| File | Size |\n|---|---|\n| a.ts | 3 |\n").findings).toEqual([]);
  const { findings, unread } = read("## P1\n\n| ID | Issue |\n|---|---|\n| A-1 | Bad |\n");
  expect([findings.length, unread.map(({ line }) => line)]).toEqual([0, [5]]);
});

test("an overview and the finding itself are one finding", () => {
  const text =
    "## Overview\n\n| ID | File | Title |\n|---|---|---|\n| A-1 | a.ts:1 | T |\n\n## P1\n\n- **[A-1] T** in `a.ts:1`\n  **Fix:** f\n\n## Next\n\n- [A-1]: do first\n";
  const { findings, unread } = read(text);
  expect(findings.map(({ id, priority, fix }) => [id, priority, fix])).toEqual([
    ["A-1", "P1", "f"],
  ]);
  expect(unread).toEqual([]);
  const other = "- **[A-1] T** in `a.ts:1`\n- **[A-1] T** in `b.ts:1`";
  expect(heads(other).length).toBe(2);
});

test("nobody loses a finding to a link definition", () => {
  expect(heads("[A-1]: T in `a.ts:3`")).toEqual([["A-1", "T", "a.ts:3"]]);
});

test("a claim of absence carries the search that found nothing", () => {
  const absent = '- **[A-1] No rate limit** in `a.ts:1`\n  - Search: "rateLimit" in src, `lib/x`';
  expect(read(under(absent)).findings[0]?.absence).toEqual({
    text: "rateLimit",
    within: ["src", "lib/x"],
  });
  const everywhere = "- **[A-1] Timeout is missing**\n  **Search:** `timeout` in src";
  expect(read(under(everywhere)).findings[0]).toMatchObject({
    citations: [{ file: "src" }],
    absence: { text: "timeout", within: ["src"] },
  });
});

test("a search without a claim of absence, or an unreadable one, stays text", () => {
  const present = '- **[A-1] Weak hash** in `a.ts:1`\n  - Search: "md5" in src';
  const bare = "- **[A-1] No limit** in `a.ts:1`\n  - Search: rateLimit in src";
  for (const text of [present, bare]) {
    const [finding] = read(under(text)).findings;
    expect(finding?.absence).toBeUndefined();
    expect(finding?.issue).toContain("Search: ");
  }
});

test("the way of a value is read from a flow", () => {
  const text = "- **[A-1] T** in `a.ts:9`\n  - **Data flow:** `a.ts:1` → `b.ts:2` → `a.ts:9`";
  expect(read(under(text)).findings[0]?.path).toEqual([
    { file: "a.ts", line: 1 },
    { file: "b.ts", line: 2 },
    { file: "a.ts", line: 9 },
  ]);
});

test("a heading with a labelled line is a finding, wherever it stands; its prose is kept", () => {
  const text =
    "# Review\n\n### 2. Query from text\n**File:** `login.js:12`\nIt calls `joinQuery()`.\n";
  const { findings, unread } = parseReport(text, { path: "r.md" });
  expect(unread).toEqual([]);
  expect(findings).toMatchObject([
    {
      title: "Query from text",
      citations: [{ file: "login.js", line: 12 }],
      issue: "It calls `joinQuery()`.",
    },
  ]);
});

test("code that a text calls its fix is no evidence", () => {
  const report = (lead: string) =>
    parseReport(
      `## P1\n\n- [ ] **[A-1] Dead** in \`a.js:4\`\n\n  ${lead}\n\n  \`\`\`js\n  return;\n  \`\`\`\n`,
      {
        path: "r.md",
      },
    ).findings[0]?.citations[0]?.quote;
  expect(report("Dead code; fix it like this:")).toBeUndefined();
  expect(report("It should be:")).toBeUndefined();
  expect(report("The code looks like this:")).toBe("return;");
});
