import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { canonical, read } from "./report.ts";

verifies("000-13", "sections come with the number of words below their header", () => {
  const text =
    "# Title\n\n## P1 (Critical)\n\none two\n\n### Part\n\n- three `four` — !\n\n```\nfive\n```\n\n## Empty\n\n<!-- not a word -->\n\n## Summary ##\n\nsix\n";
  expect(read(text).sections).toEqual([
    { title: "P1 (Critical)", line: 3, words: 5 },
    { title: "Part", line: 7, words: 3 },
    { title: "Empty", line: 15, words: 0 },
    { title: "Summary", line: 19, words: 1 },
  ]);
});

test("headings in fences and quotes are no sections", () => {
  expect(read("```\n## P1\n```\n\n> ## P2\n").sections).toEqual([]);
});

verifies(
  ["000-21", "000-19"],
  "the log of the second look is read, whatever order its columns have",
  () => {
    const log =
      "## Self-Review Log\n\n| # | Finding | Action | Notes |\n|---|---|---|---|\n| 1 | SEC-001 | confirmed | ok |\n| 2 | [SEC-002] | **REVISED** | line |\n| 3 | SEC-003 | `DELETED` | |\n";
    const rows = [
      { finding: "SEC-001", action: "confirmed", notes: "ok" },
      { finding: "[SEC-002]", action: "revised", notes: "line" },
      { finding: "SEC-003", action: "deleted", notes: "" },
    ];
    expect(read(log).selfReview).toEqual(rows);
    expect(read(log).unread).toEqual([]);
    const other =
      "### self-review LOG\n\n| NOTES | action | finding |\n|---|---|---|\n| ok | Confirmed | SEC-001 |\n";
    expect(read(other).selfReview).toEqual(rows.slice(0, 1));
  },
);

test("a row without a known action and a log without its columns are named", () => {
  const row =
    "## Self-Review Log\n\n| # | Finding | Action |\n|---|---|---|\n| 1 | A-1 | maybe |\n";
  expect(read(row).selfReview).toEqual([]);
  expect(read(row).unread.map(({ line }) => line)).toEqual([5]);
  expect(read("## Self-Review Log\n\n| a | b |\n|---|---|\n| 1 | 2 |\n").unread.length).toBe(1);
});

test("such a table elsewhere is no log", () => {
  expect(
    read("## Summary\n\n| # | Finding | Action |\n|---|---|---|\n| 1 | A-1 | confirmed |\n")
      .selfReview,
  ).toEqual([]);
});

verifies(["000-56", "000-57"], "questions to the lead and to people are found", () => {
  const text =
    "## Notes\n\n**CLARIFICATION_REQUEST:** Is it public?\n- blocking: false\n\n## Human Escalation Required\n\nWho decides?\n\n- You?\n\n## Summary\n\nDone.\n";
  expect(read(text).questions).toEqual([
    { kind: "CLARIFICATION_REQUEST", line: 3, text: "Is it public? blocking: false" },
    { kind: "Human Escalation Required", line: 6, text: "Who decides? You?" },
  ]);
});

test("a question in a fence or a quote is none", () => {
  expect(
    read("```\nCLARIFICATION_REQUEST: x\n```\n\n> CLARIFICATION_REQUEST: y\n").questions,
  ).toEqual([]);
});

test("the reviewer is who the preface names", () => {
  expect(read("# R\n\n**Reviewer:** ward-sentinel\n\n## P1\n").reviewer).toBe("ward-sentinel");
  expect(read("# R\n\n## P1\n\n**Reviewer:** x\n")).not.toHaveProperty("reviewer");
});

const companion = (list: object[]): string =>
  `\`\`\`json\n${JSON.stringify({ findings: list })}\n\`\`\`\n`;
const element = { id: "A-1", priority: "P1", title: "T", file: "a.ts", line: 3 };

test("a fenced list of findings counts under a heading that announces it", () => {
  const report = read(`## Findings as JSON\n\n${companion([element, { id: "A-2" }])}`);
  expect(report.findings).toEqual([
    { id: "A-1", title: "T", priority: "P1", citations: [{ file: "a.ts", line: 3 }] },
  ]);
  expect(report.unread.map(({ line, why }) => [line, why])).toEqual([
    [3, "element 2: names no file, so that nothing can be checked"],
  ]);
});

test("a fenced list of findings elsewhere may be reviewed code: it is named, not believed", () => {
  const report = read(`## Summary\n\n${companion([element])}`);
  expect([report.findings, report.unread.length]).toEqual([[], 1]);
  const evidence = read(`## P1\n\n- **[B-1] T** in \`b.json:1\`\n\n${companion([element])}`);
  expect(evidence.findings.map(({ id }) => id)).toEqual(["B-1"]);
});

test("the same finding in text and JSON is one, and a contradiction is named", () => {
  const text = `## P1\n\n${canonical("A-1", "a.ts", 3)}\n## JSON\n\n`;
  expect(read(text + companion([element])).findings.length).toBe(1);
  const other = read(text + companion([{ ...element, file: "b.ts" }]));
  expect(other.findings.length).toBe(1);
  expect(other.unread.map(({ why }) => why)).toEqual([
    "[A-1] is about another file in the fenced JSON than in the text",
  ]);
});

test("an id is no finding where a task of that name is only said to be done", () => {
  for (const text of [
    "ST-01 is done.\nFLAW: none\nAll tests pass. Created `src/x.js`.",
    "- ST-01 is done, see `src/x.js`",
    "ST-01: done. Created `src/x.js`.",
  ]) {
    expect(read(text).findings, text).toEqual([]);
  }
  expect(
    read("SEC-001 is done wrong?\n\n- [ ] **[SEC-002] Done twice** in `a.ts:1`").findings,
  ).toMatchObject([{ id: "SEC-002" }]);
});
