import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";
import { canonical, read } from "./report.ts";

/** What reading it gives: how many findings, or the code it is refused with. */
function outcome(text: string, path = "x.md"): number | string {
  try {
    return parseReport(text, { path }).findings.length;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test.each([
  ["a line of 1 MB", "a".repeat(1_000_000), 0],
  ["a line of 1 MB of places", "src/a.ts:10 ".repeat(90_000), 0],
  ["a line of 1 MB of dots", `- ${".".repeat(1_000_000)}x`, 0],
  ["a line of 1 MB of spaces", `- a${" ".repeat(1_000_000)}b`, 0],
  ["a head of 1 MB", `- **[A-1] T** in \`a.ts:1\` ${"x ".repeat(500_000)}`, 1],
  ["100,000 quotes in each other", `${">".repeat(100_000)} x`, "LIMIT_EXCEEDED"],
  ["100,000 lists in each other", `${"- ".repeat(100_000)}x`, "LIMIT_EXCEEDED"],
  ["100,000 numbered lists in each other", `${"1. ".repeat(100_000)}x`, "LIMIT_EXCEEDED"],
  [
    "lists nested by indentation",
    Array.from({ length: 100 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n"),
    "LIMIT_EXCEEDED",
  ],
  ["100,000 open brackets", "[".repeat(100_000), 0],
  ["100,000 open links", "[a](".repeat(25_000), 0],
  ["100,000 open comments", "x <!-- ".repeat(20_000), 0],
  ["100,000 open emphases", "**a *b _c ".repeat(20_000), 0],
  [
    "runs of backticks of every length",
    Array.from({ length: 600 }, (_, i) => "`".repeat(i + 1)).join(" "),
    0,
  ],
  ["100,000 blank lines", `${"\n".repeat(100_000)}- **[A-1] T** in \`a.ts:1\`\n`, 1],
  ["a fence without an end around 1 MB", `\`\`\`\n${"x\n".repeat(500_000)}`, "LIMIT_EXCEEDED"],
  ["a table of 1 MB", `| a | b |\n|---|---|\n${"| x | y |\n".repeat(100_000)}`, "LIMIT_EXCEEDED"],
  ["a quote with 1 MB of lazy lines", `> a\n${"b\n".repeat(500_000)}`, "LIMIT_EXCEEDED"],
  ["a rule of 200 dashes", `${"- ".repeat(200)}\n\n- [ ] **[A-1] T** in \`a.ts:1\``, 1],
  ["labels without end", `- **[A-1] T** in \`a.ts:1\` ${"**Issue:** a ".repeat(20_000)}`, 1],
  ["a Seal without end", `---\nSEAL: { ${"a: 1, ".repeat(20_000)}\n---\n`, 0],
])("%s is read or refused, and ends", (_, text, expected) => {
  expect(outcome(text)).toBe(expected);
});

test("a report has at most 16 MB, and the message says so", () => {
  expect(() => parseReport("x".repeat(16 * 1024 * 1024 + 1), { path: "big.md" })).toThrow(
    expect.objectContaining({
      code: "LIMIT_EXCEEDED",
      message: "big.md: expected a report of at most 16777216 bytes, found 16777217",
    }),
  );
});

test("a report has at most 20,000 findings", () => {
  const element = { title: "T", priority: "P1", file: "a.ts" };
  const list = (length: number): string => JSON.stringify(Array.from({ length }, () => element));
  expect(outcome(list(20_000), "x.json")).toBe(20_000);
  expect(outcome(list(20_001), "x.json")).toBe("LIMIT_EXCEEDED");
  const item = (_: unknown, i: number): string => `- [A-${i}] T in a.ts:1\n`;
  const markdown = Array.from({ length: 20_001 }, item).join("");
  expect(outcome(markdown)).toBe("LIMIT_EXCEEDED");
});

test("JSON is not followed into endless depth", () => {
  expect(outcome(`{"findings": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "x.json")).toBe(
    "LIMIT_EXCEEDED",
  );
});

test("bytes that are no text are no report", () => {
  expect(outcome("a\0b")).toBe("INPUT_INVALID");
});

test("a lone surrogate in a report does not reach a finding", () => {
  const [finding] = read("## P1\n\n- Bad \uD800 thing in `a.ts:1`\n").findings;
  expect(finding?.title.isWellFormed()).toBe(true);
});

test("a long report is read whole where a fence, a list or a comment crosses its pieces", () => {
  const filler = "Words of no consequence.\n\n".repeat(400);
  const code = "# no heading\n\n- no item\n\n".repeat(600);
  const text = `## P1\n\n${canonical("A-1")}\n${filler}\n\`\`\`\n${code}\`\`\`\n\n<!--\n${code}-->\n\n${canonical("A-2")}`;
  const report = read(text);
  expect(report.findings.map(({ id }) => id)).toEqual(["A-1", "A-2"]);
  expect(report.sections.map(({ title }) => title)).toEqual(["P1"]);
  expect(report.unread).toMatchObject([
    { line: 3, why: "[A-1] has 25424 characters under fix; the first 20000 were read" },
  ]);
});

test.each([
  ["canonical findings", (n: number) => `## P1\n\n${canonical("A-1").repeat(n)}`, 150],
  ["headings", (n: number) => "### [A-1] T in `a.ts:1`\n\nWords.\n\n".repeat(n), 500],
  ["paragraphs", (n: number) => "Some **bold** words and `code`.\n\n".repeat(n), 1_000],
  ["words", (n: number) => "src/a.ts:10, [A-1] **x** ".repeat(n), 3_000],
  ["marks", (n: number) => `- [ ] **[A-1] ${"*_`[(<!--".repeat(n)}`, 3_000],
])("ten times the %s take about ten times as long", (_, make, size) => {
  const texts = { 1: make(size), 10: make(10 * size) };
  expectLinear((times) => outcome(texts[times]));
});
