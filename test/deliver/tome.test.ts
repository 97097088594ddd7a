import fc from "fast-check";
import type { Html, List, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { expect, test } from "vitest";
import { renderTome } from "../../src/deliver/index.ts";
import type { Citation } from "../../src/schema/finding.ts";
import type { ReviewReport } from "../../src/schema/review.ts";
import { verifies } from "../verifies.ts";
import {
  emptyReport,
  HOSTILE_TEXTS,
  hostileReport,
  hostileReports,
  refuted,
  reported,
  reviewer,
  sampleReport,
} from "./sample.ts";

const RUNS = 60;
/** The headings of every report, below its title. */
const SECTIONS = [
  "Verification Status",
  "P1 (Critical)",
  "P2 (High)",
  "P3 (Medium)",
  "Refuted",
  "Not read",
  "Incomplete Deliverables",
  "Gaps and Coverage",
  "Self-Review",
  "Notes Between Reviewers",
  "Known Before",
];
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function parse(markdown: string): Root {
  return fromMarkdown(markdown, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
}

function textOf(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

function all(node: Nodes): Nodes[] {
  return [node, ...("children" in node ? node.children.flatMap(all) : [])];
}

/** The nodes under a heading of the second level, up to the next one. */
function under(root: Root, title: string): Root["children"] {
  const start = root.children.findIndex(
    (node) => node.type === "heading" && node.depth === 2 && textOf(node) === title,
  );
  const rest = root.children.slice(start + 1);
  const end = rest.findIndex((node) => node.type === "heading");
  return end < 0 ? rest : rest.slice(0, end);
}

/** Everything that gives a report its structure is there as often as the report says, and nothing else is. */
function expectStructure(report: ReviewReport): void {
  const markdown = renderTome(report);
  expect(markdown).not.toMatch(HIDDEN);
  const root = parse(markdown);
  const headings = all(root).filter((node) => node.type === "heading");
  expect(headings.slice(1).map(textOf)).toEqual(SECTIONS);
  expect(headings[0]).toMatchObject({ depth: 1 });

  const { findings, refuted: untrue, unread, gaps, notes } = report;
  const comments = all(root).filter((node): node is Html => node.type === "html");
  expect(comments.length).toBe(2 * findings.length);
  expect(root.children.filter((node) => node.type === "html").length).toBe(2 * findings.length);
  for (const comment of comments) expect(comment.value).toMatch(/^<!-- \/?RUNE:FINDING [^<>]*-->$/);

  const lists = all(root).filter((node): node is List => node.type === "list");
  const items = findings.length + untrue.length + unread.length + gaps.length + notes.length;
  expect(lists.reduce((sum, list) => sum + list.children.length, 0)).toBe(items);
  const boxes = lists
    .flatMap((list) => list.children)
    .filter((item) => /^\[ \] \[/.test(textOf(item)));
  expect(boxes.length).toBe(findings.length);

  const open = report.reviewers.filter(({ status }) => status !== "complete").length;
  const rows = all(root).filter((node) => node.type === "tableRow");
  const tables = 1 + (open > 0 ? 1 : 0) + (report.self_review.length > 0 ? 1 : 0);
  expect(rows.length).toBe(tables + report.reviewers.length + open + report.self_review.length);
  const widths = new Set(rows.map((row) => row.children.length));
  for (const width of widths) expect([3, 6, 7]).toContain(width);

  const foreign = ["link", "image", "linkReference", "imageReference", "definition", "blockquote"];
  expect(all(root).filter(({ type }) => [...foreign, "thematicBreak"].includes(type))).toEqual([]);
}

test("a report with nothing in it has all its headings and no finding", () => {
  expectStructure(emptyReport());
  expect(renderTome(emptyReport())).toContain("# TOME: review of shop\n");
});

test("the sample has exactly the structure of its content", () => {
  expectStructure(sampleReport());
});

test("no text of a report changes the structure", () => {
  expectStructure(hostileReport());
});

test("a line of source that holds several is still only source", () => {
  const context = { from: 2, lines: ["```\n# Heading\n"] };
  const { quote: _, ...unquoted } = reported().finding.citations[0] as Citation;
  const finding = { ...reported().finding, citations: [unquoted] };
  expectStructure(emptyReport({ findings: [{ ...reported(), finding, context }] }));
});

test("no text of any report changes the structure", () => {
  fc.assert(fc.property(hostileReports, expectStructure), { numRuns: RUNS });
});

verifies(
  "000-48",
  "a finding is a checkbox with id, title and place, its evidence, issue and fix",
  () => {
    const markdown = renderTome(emptyReport({ findings: [reported()] }));
    expect(
      markdown,
    ).toContain(`<!-- RUNE:FINDING nonce="0123456789abcdef0123456789abcdef" id="SEC-001" file="src/a.ts" line="2" severity="P1" -->

- [ ] **[SEC-001] Request text reaches a shell** in \`src/a.ts:2\`

  **Rune Trace:**

  \`\`\`ts
  // Lines 2-2 of src/a.ts
  exec(request.query.name);
  \`\`\`

  **Issue:** A caller decides what is run.

  **Fix:** Use \`execFile\` with a list.

  **Verdict:** CONFIRMED. The quoted text stands at the cited lines.

  **Support:** a deterministic analyser

  **By:** security

  **Identity:** \`36e73b6fdda8\`

<!-- /RUNE:FINDING SEC-001 -->
`);
  },
);

verifies("000-52", "the status table has a row for each reviewer and ends on reliability", () => {
  const [table, overall] = under(parse(renderTome(sampleReport())), "Verification Status");
  const rows = table?.type === "table" ? table.children : [];
  expect(rows.map((row) => row.children.map(textOf))).toEqual([
    ["Reviewer", "Confidence", "Checked", "Confirmed", "Inaccurate", "Hallucinated"],
    ["security", "90/100", "2/2", "2", "0", "0"],
    ["backend (unreliable)", "58/100", "3/3", "1", "1", "1"],
    ["quality", "71/100", "0/1", "0", "0", "0"],
    ["frontend", "none", "0/0", "0", "0", "0"],
  ]);
  expect(overall === undefined ? "" : textOf(overall)).toMatch(/^Overall reliability: low \(low: /);
});

test.each([
  ["unknown", []],
  ["unknown", [reviewer("a", { unverified: 3 })]],
  ["high", [reviewer("a", { confirmed: 9, inaccurate: 1 })]],
  ["medium", [reviewer("a", { confirmed: 8, inaccurate: 2 })]],
  ["medium", [reviewer("a", { confirmed: 9 }), reviewer("b", { status: "partial" })]],
  ["medium", [reviewer("a", { confirmed: 9, unverified: 1 })]],
  ["medium", [reviewer("a", { confirmed: 9, unread: 1 })]],
  ["low", [reviewer("a", { confirmed: 4, inaccurate: 5 })]],
  ["low", [reviewer("a", { confirmed: 99, hallucinated: 1 })]],
  ["low", [reviewer("a", { confirmed: 99, reliable: false })]],
] as const)(
  "overall reliability is %s for its reviewers, by the stated rule",
  (expected, reviewers) => {
    const markdown = renderTome(emptyReport({ reviewers: [...reviewers] }));
    expect(markdown).toContain(`**Overall reliability:** ${expected} (`);
  },
);

verifies(["000-34", "000-35"], "what was not delivered is listed with its impact", () => {
  const [table] = under(parse(renderTome(sampleReport())), "Incomplete Deliverables");
  const rows = table?.type === "table" ? table.children : [];
  expect(rows.map((row) => row.children.map(textOf))).toEqual([
    ["Teammate", "Status", "Impact"],
    ["frontend", "Missing (no file was delivered in time)", "not covered: web/**/*.tsx"],
  ]);
  const partial = emptyReport({ reviewers: [reviewer("x", { status: "partial" })] });
  expect(renderTome(partial)).toContain("| x | Partial | what it says may not be all |");
});

test("a finding that is somewhere else is shown at its true place, with the cited one beside it", () => {
  const markdown = renderTome(sampleReport());
  expect(markdown).toContain(
    "**[SEC-003] Passwords are hashed with MD5** in `src/routes/login.ts:8`",
  );
  expect(markdown).toContain(
    "**True place:** `src/routes/login.ts:8`, cited as `src/routes/login.ts:12`",
  );
  expect(markdown).toMatch(/id="SEC-003" file="src\/routes\/login\.ts" line="8"/);
});

test("the others who said it, further places, the path and a search are shown", () => {
  const markdown = renderTome(sampleReport());
  expect(markdown).toContain("**By:** security, also backend");
  expect(markdown).toContain("**Also at:** `exports/orders.py:3`");
  expect(markdown).toContain(
    "**Path:** `exports/orders.py:3` → `exports/orders.py:4` → `exports/orders.py:6`",
  );
  const absent = reported({ absence: { text: "rollback(", within: ["src/db"] } });
  expect(renderTome(emptyReport({ findings: [absent] }))).toContain(
    "**Searched for:** `rollback(` in `src/db`; nothing was found",
  );
});

test("what the source refutes is fenced with its reason, and no line of it reads as a finding", () => {
  const claim = refuted({ title: "x", issue: "- [ ] **[SEC-009] Fake** in `a:1`" }, "backend");
  const markdown = renderTome(emptyReport({ refuted: [claim] }));
  const [list] = under(parse(markdown), "Refuted");
  expect(list === undefined ? [] : all(list).map(({ type }) => type)).toEqual([
    ...["list", "listItem", "paragraph", "text", "code"],
  ]);
  expect(markdown).toContain("- HALLUCINATED, said by backend. The file has no such line.");
  expect(markdown).not.toMatch(/^\s*- \[ \]/m);
});

test("fenced code and code spans of a reviewer stay code", () => {
  const fix = "Call `a|b`:\n\n```ts\nconst a = `x`;\n# no heading\n```\nthen stop.";
  const root = parse(renderTome(emptyReport({ findings: [reported({ fix })] })));
  const code = all(root).filter((node) => node.type === "code");
  expect(code.at(-1)).toMatchObject({ value: "const a = `x`;\n# no heading" });
  expect(
    all(root)
      .filter((node) => node.type === "inlineCode")
      .map(textOf),
  ).toContain("a|b");
});

test("what a reviewer wrote is shown unchanged where nothing is hidden in it", () => {
  const title = "a_b *c* [d](e) <f> &amp; g|h \\ ~i~ # + - 1. $j$";
  const root = parse(renderTome(emptyReport({ findings: [reported({ title })], notes: [title] })));
  const texts = all(root)
    .filter(({ type }) => type === "strong" || type === "listItem")
    .map(textOf);
  expect(texts).toContain(`[SEC-001] ${title}`);
  expect(texts).toContain(title);
});

test("a mention is code, so that it calls nobody, and an address is no link", () => {
  const markdown = renderTome(
    emptyReport({ notes: ["ask @somebody at https://a.example or www.b.example"] }),
  );
  expect(markdown).toContain("- ask `@`somebody at https\\://a.example or www\\.b.example");
});

test("every hostile piece appears in the sample used here", () => {
  expect(HOSTILE_TEXTS.length).toBeGreaterThan(20);
  expect(hostileReport().findings.length).toBe(HOSTILE_TEXTS.length);
});
