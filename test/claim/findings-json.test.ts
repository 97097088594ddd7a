import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";

const parse = (value: unknown, path = "a-findings.json") =>
  parseReport(typeof value === "string" ? value : JSON.stringify(value), { path });
const element = {
  id: "SEC-001",
  priority: "P1",
  title: "T",
  file: "src/a.ts",
  line: 3,
  rune_trace: "```ts\n// Lines 3-4 of src/a.ts\nx();\ny();\n```",
  issue: "i",
  fix: "f",
  status: "open",
};
const whole = {
  tarnished: "ward-sentinel",
  workflow: "rune-review",
  identifier: "7",
  timestamp: "2026-01-01T00:00:00Z",
  findings: [element],
  summary: { p1: 1, p2: 0, p3: 0, total: 1, evidence_verified: true, confidence: 0.9 },
};

test("the companion file of a reviewer is read", () => {
  const report = parse(whole);
  expect(report).toMatchObject({ format: "findings-json", reviewer: "ward-sentinel", unread: [] });
  expect(report.nonces).toEqual([undefined]);
  expect(report.findings).toEqual([
    {
      id: "SEC-001",
      title: "T",
      priority: "P1",
      citations: [{ file: "src/a.ts", line: 3, end_line: 4, quote: "x();\ny();" }],
      issue: "i",
      fix: "f",
    },
  ]);
});

test("what is optional may be missing, and the list may come alone", () => {
  const bare = [{ severity: "high", issue: "i", file: "src/a.ts:3-4" }];
  const findings = [
    {
      id: "X-1",
      title: "i",
      priority: "P2",
      citations: [{ file: "src/a.ts", line: 3, end_line: 4 }],
      issue: "i",
    },
  ];
  expect(parse({ findings: bare }).findings).toEqual(findings);
  expect(parse(bare).findings).toEqual(findings);
});

test.each([
  ["10-12", { line: 10, end_line: 12 }],
  ["10", { line: 10 }],
  [0, {}],
  [-1, {}],
  [1.5, {}],
  [null, {}],
])("a line may be written as %j", (line, expected) => {
  const [finding] = parse([{ ...element, line, rune_trace: "" }]).findings;
  expect(finding?.citations).toEqual([{ file: "src/a.ts", ...expected }]);
});

test.each([
  ["no object", 7, "expected an object"],
  ["no file", { ...element, file: "" }, "names no file, so that nothing can be checked"],
  ["no title", { ...element, title: null, issue: 3 }, "has neither title nor issue"],
  ["no priority", { ...element, priority: "P9" }, "expected a priority P1, P2 or P3"],
])("an element with %s is named by its place in the list", (_, bad, why) => {
  const report = parse([element, bad, element]);
  expect(report.findings.length).toBe(2);
  expect(report.unread.map((entry) => [entry.line, entry.why])).toEqual([[2, why]]);
});

test("long texts are cut and never in the middle of a character", () => {
  const [finding] = parse([
    { ...element, title: `${"x".repeat(499)}😀`, issue: "y".repeat(30_000) },
  ]).findings;
  expect(finding?.title).toBe("x".repeat(499));
  expect(finding?.issue?.length).toBe(20_000);
});

test.each([
  ["no JSON", "{", /a-findings\.json: expected .*not JSON/],
  ["JSON of another kind", '{"a": 1}', /expected a report .*"findings", "runs" or "diagnostics"/],
  ["a number", "7", /expected a report/],
  ["a key twice", '{"findings": [], "findings": []}', /given twice/],
  ["a prototype", '{"findings": [], "__proto__": {"polluted": 1}}', /"__proto__".*not allowed/],
])("%s is refused with what was expected", (_, text, message) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ code: "INPUT_INVALID", message: expect.stringMatching(message) }),
  );
});

test("findings of the wrong kind are refused", () => {
  expect(() =>
    parseReport('{"findings": {}}', { path: "x.json", format: "findings-json" }),
  ).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
});

test("names that objects inherit are not members", () => {
  const report = parse([{ ...element, constructor: { name: "x" }, toString: "y" }]);
  expect(report.findings.length).toBe(1);
  expect(
    parse('[{"id": "A-1", "title": "T", "priority": "P1", "hasOwnProperty": 1}]').unread.length,
  ).toBe(1);
});

test.each([
  ["review.md", "# R\n", "markdown"],
  ["review", "# R\n", "markdown"],
  ["x.json", '{"runs": []}', "sarif"],
  ["x.sarif", '{"runs": []}', "sarif"],
  ["x", '{"runs": []}', "sarif"],
  ["x.json", '{"diagnostics": []}', "rdjson"],
  ["x.rdjsonl", "", "rdjson"],
  [
    "x",
    '{"message":"m","location":{"path":"a"}}\n{"message":"n","location":{"path":"a"}}\n',
    "rdjson",
  ],
  ["x.json", '{"findings": []}', "findings-json"],
  ["x.json", "\uFEFF[]", "findings-json"],
  ["x.md", '{"findings": []}', "markdown"],
])("the format of %s with %j is %s", (path, text, format) => {
  expect(parseReport(text, { path }).format).toBe(format);
});

test("a format that is asked for wins over the name", () => {
  expect(parseReport('{"runs": []}', { path: "x.md", format: "sarif" }).format).toBe("sarif");
});
