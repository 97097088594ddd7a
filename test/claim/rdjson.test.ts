import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";

const diagnostic = (more: object = {}) => ({
  message: "Bad name\nmore",
  location: { path: "src/a.ts", range: { start: { line: 3, column: 1 }, end: { line: 5 } } },
  severity: "ERROR",
  code: { value: "no-bad_Name", url: "https://example.org" },
  suggestions: [{ text: "good" }, { text: "better" }],
  ...more,
});
const parse = (diagnostics: unknown[], more: object = {}) =>
  parseReport(JSON.stringify({ source: { name: "linter" }, diagnostics, ...more }), {
    path: "x.rdjson",
  });
const FINDING = {
  id: "X-1",
  title: "Bad name",
  priority: "P1",
  category: "no-bad-name",
  citations: [{ file: "src/a.ts", line: 3, end_line: 5 }],
  issue: "Bad name\nmore",
  fix: "good\n\nbetter",
};

test("a diagnostic becomes a finding", () => {
  const report = parse([diagnostic()]);
  expect(report).toMatchObject({ format: "rdjson", reviewer: "linter", unread: [] });
  expect(report.findings).toEqual([FINDING]);
});

test("one diagnostic a line is read the same way", () => {
  const lines = [diagnostic({ source: { name: "linter" } }), diagnostic()].map((one) =>
    JSON.stringify(one),
  );
  const report = parseReport(`${lines.join("\n")}\n\n`, { path: "x.rdjsonl" });
  expect(report.reviewer).toBe("linter");
  expect(report.findings).toEqual([FINDING, { ...FINDING, id: "X-2" }]);
});

test.each([
  [{ severity: "WARNING" }, {}, "P2"],
  [{ severity: "INFO" }, {}, "P3"],
  [{ severity: "UNKNOWN_SEVERITY" }, {}, "P3"],
  [{ severity: undefined }, { severity: "ERROR" }, "P1"],
  [{ severity: undefined }, {}, "P3"],
])("%j in %j is %s", (more, around, priority) => {
  expect(parse([diagnostic(more)], around).findings[0]?.priority).toBe(priority);
});

test("a diagnostic without message or path is named, one without a range is read", () => {
  const report = parse([
    diagnostic({ message: "" }),
    diagnostic({ location: {} }),
    diagnostic({ location: { path: "b" } }),
  ]);
  expect(report.unread.map(({ line, why }) => [line, why])).toEqual([
    [1, "has no message"],
    [2, "has no location.path"],
  ]);
  expect(report.findings[0]?.citations).toEqual([{ file: "b" }]);
});

test.each(["nonsense", '{"diagnostics": 3}', '{"message": "m"}\n{'])("%j is refused", (text) => {
  expect(() => parseReport(text, { path: "x.rdjsonl" })).toThrow(
    expect.objectContaining({
      code: "INPUT_INVALID",
      message: expect.stringContaining("x.rdjsonl"),
    }),
  );
});

test("no line is no diagnostic, and an empty document is none", () => {
  expect(parseReport("\n", { path: "x.rdjsonl" }).findings).toEqual([]);
  expect(() => parseReport("\n", { path: "x.rdjson" })).toThrow(/x\.rdjson: expected/);
});
