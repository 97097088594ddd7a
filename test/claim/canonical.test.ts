import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { canonical, read } from "./report.ts";

const FINDING = {
  id: "SEC-001",
  title: "Query built from input",
  priority: "P1",
  citations: [
    {
      file: "src/db.ts",
      line: 42,
      end_line: 43,
      quote: 'const query = "select " + name;\nreturn db.run(query);',
    },
  ],
  issue: "`name` comes from the request.",
  fix: "Use parameters.",
};

verifies("000-48", "a finding in the canonical form is read whole", () => {
  const report = read(`## P1 (Critical)\n\n${canonical("SEC-001")}`);
  expect(report.format).toBe("markdown");
  expect(report.findings).toEqual([FINDING]);
  expect(report.unread).toEqual([]);
});

verifies("000-14", "the evidence is kept to the letter, indentation and blank lines too", () => {
  const text = [
    "## P1 (Critical)",
    "",
    "- [ ] **[A-1] T** in `a.py:3`",
    "  **Rune Trace:**",
    "  ```py",
    "  # Lines 3-6 of a.py",
    "  def f():",
    "      x = 1  ",
    "",
    "      return\tx",
    "  ```",
  ].join("\n");
  const [finding] = read(text).findings;
  expect(finding?.citations).toEqual([
    { file: "a.py", line: 3, end_line: 6, quote: "def f():\n    x = 1  \n\n    return\tx" },
  ]);
});

test("CRLF, lone CR and a byte order mark change nothing", () => {
  const text = `## P1 (Critical)\n\n${canonical("SEC-001")}`;
  expect(read(`\uFEFF${text.replaceAll("\n", "\r\n")}`).findings).toEqual([FINDING]);
  expect(read(text.replaceAll("\n", "\r")).findings).toEqual([FINDING]);
});

test("evidence of a document is a block quote", () => {
  const text =
    "## P2 (High)\n\n- [ ] **[DOC-1] Wrong** in `README.md:3`\n  **Rune Trace:**\n  > one\n  > two\n\n  **Issue:** x\n";
  const [finding] = read(text).findings;
  expect(finding?.citations).toEqual([{ file: "README.md", line: 3, quote: "one\ntwo" }]);
  expect(finding?.issue).toBe("x");
});

test.each([
  ["P1 (Critical)", "P1"],
  ["P2 (High)", "P2"],
  ["P3 (Medium)", "P3"],
  ["Critical", "P1"],
  ["🔴 Critical Issues", "P1"],
  ["High", "P2"],
  ["High Priority Findings (3)", "P2"],
  ["Medium", "P3"],
  ["Low", "P3"],
  ["2. Low severity", "P3"],
])("a section headed %s holds findings of %s", (heading, priority) => {
  const report = read(`## ${heading}\n\n- Wrong in \`a.ts:1\`\n`);
  expect(report.findings.map((finding) => finding.priority)).toEqual([priority]);
});

test.each(["High-level overview", "Highlights", "Critical path", "Low-hanging fruit", "Notes"])(
  "a section headed %s holds no findings",
  (heading) => {
    expect(read(`## ${heading}\n\n- Wrong in \`a.ts:1\`\n`).findings).toEqual([]);
  },
);

test("a section's priority ends where the next section of its level starts", () => {
  const report = read("## P1\n### Part\n- Bad in `a.ts:1`\n## Next\n- Fine in `b.ts:1`\n");
  expect(report.findings.map(({ citations }) => citations[0]?.file)).toEqual(["a.ts"]);
});

test("the finding's own word beats the section's", () => {
  const own =
    "- [ ] **[A-1] T** in `a.ts:1`\n  - **Severity:** Critical\n- [ ] **[A-2] T** in `a.ts:2`\n- [P1] **[A-3] T** in `a.ts:3`\n";
  const { findings } = read(`## P3 (Medium)\n\n${own}`);
  expect(findings.map(({ id, priority }) => [id, priority])).toEqual([
    ["A-1", "P1"],
    ["A-2", "P3"],
    ["A-3", "P1"],
  ]);
});

test("a finding without any priority is neither blocking nor mere advice", () => {
  expect(read("- [ ] **[A-1] T** in `a.ts:1`\n").findings[0]?.priority).toBe("P2");
});

test("a report without findings is no error", () => {
  const report = read("# Review\n\nAll is well.\n");
  expect([report.findings, report.unread]).toEqual([[], []]);
});
