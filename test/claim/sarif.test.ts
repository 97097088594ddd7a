import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";

const parse = (value: unknown) => parseReport(JSON.stringify(value), { path: "x.sarif" });
const location = (uri: string, region?: object, extra: object = {}) => ({
  physicalLocation: { artifactLocation: { uri, ...extra }, ...(region ? { region } : {}) },
});
const result = (more: object = {}) => ({
  ruleId: "js/SqlInjection",
  level: "error",
  message: { text: "Bad query\nbecause" },
  locations: [
    location("src/a.ts", { startLine: 3, endLine: 4, snippet: { text: "x();\r\ny();" } }),
  ],
  ...more,
});
const log = (results: unknown[], more: object = {}) => ({
  version: "2.1.0",
  runs: [{ tool: { driver: { name: "scanner", rules: [] } }, results, ...more }],
});
const only = (more: object = {}, run: object = {}) => parse(log([result(more)], run)).findings[0];

test("a result becomes a finding with its place, its quote and its rule", () => {
  const report = parse(log([result()]));
  expect(report).toMatchObject({ format: "sarif", reviewer: "scanner", unread: [] });
  expect(report.findings).toEqual([
    {
      id: "X-1",
      title: "Bad query",
      priority: "P1",
      category: "js-sql-injection",
      citations: [{ file: "src/a.ts", line: 3, end_line: 4, quote: "x();\ny();" }],
      issue: "Bad query\nbecause",
    },
  ]);
});

test.each([
  [{ level: "error" }, "P1"],
  [{ level: "warning" }, "P2"],
  [{ level: "note" }, "P3"],
  [{ level: undefined }, "P2"],
  [{ properties: { "security-severity": "9.8" } }, "P1"],
  [{ properties: { "security-severity": "7.0" } }, "P2"],
  [{ properties: { "security-severity": 5 } }, "P3"],
  [{ level: "note", properties: { "security-severity": "eleven" } }, "P3"],
])("%j is %s", (more, priority) => {
  expect(only(more)?.priority).toBe(priority);
});

test("rules give name, level, score, help and messages", () => {
  const rule = {
    id: "js/SqlInjection",
    name: "TaintedQuery",
    defaultConfiguration: { level: "note" },
    help: { text: "Use parameters." },
    messageStrings: { one: { text: "From {0} to {1} {2}" } },
  };
  const run = { tool: { driver: { name: "s", rules: [rule] } } };
  expect(
    only({ level: undefined, message: { id: "one", arguments: ["a", "b"] } }, run),
  ).toMatchObject({
    title: "From a to b {2}",
    category: "tainted-query",
    priority: "P3",
    fix: "Use parameters.",
  });
  expect(only({ ruleId: undefined, ruleIndex: 0 }, run)?.category).toBe("tainted-query");
  const scored = {
    tool: {
      driver: { rules: [{ id: "js/SqlInjection", properties: { "security-severity": "9.1" } }] },
    },
  };
  expect(only({ level: "note" }, scored)?.priority).toBe("P1");
});

test("results of all runs and all their locations are read", () => {
  const first = log([
    result({ locations: [location("a.ts", { startLine: 1 }), location("b.ts")] }),
  ]);
  const report = parse({ ...first, runs: [...first.runs, { results: [result()] }] });
  expect(
    report.findings.map(({ id, citations }) => [id, citations.map(({ file }) => file)]),
  ).toEqual([
    ["X-1", ["a.ts", "b.ts"]],
    ["X-2", ["src/a.ts"]],
  ]);
});

test("a code flow becomes the path", () => {
  const steps = [location("a.ts", { startLine: 1 }), location("b.ts", { startLine: 2 })];
  const codeFlows = [{ threadFlows: [{ locations: steps.map((at) => ({ location: at })) }] }];
  expect(only({ codeFlows })?.path).toEqual([
    { file: "a.ts", line: 1 },
    { file: "b.ts", line: 2 },
  ]);
});

test.each([
  ["src/a%20b.ts", {}, "src/a b.ts"],
  ["src/50%.ts", {}, "src/50%.ts"],
  ["file:///etc/pass%77d", {}, "file:///etc/pass%77d"],
  ["../../x", {}, "../../x"],
  ["a.ts", { uriBaseId: "SRC" }, "sub/a.ts"],
  ["a.ts", { uriBaseId: "ROOT" }, "a.ts"],
  ["a.ts", { uriBaseId: "NONE" }, "a.ts"],
])("the address %s is text only", (uri, extra, file) => {
  const originalUriBaseIds = { SRC: { uri: "sub/" }, ROOT: { uri: "file:///home/x/" } };
  const found = only({ locations: [location(uri, undefined, extra)] }, { originalUriBaseIds });
  expect(found?.citations).toEqual([{ file }]);
});

test("a location may name its file by index", () => {
  const locations = [{ physicalLocation: { artifactLocation: { index: 0 } } }];
  const artifacts = [{ location: { uri: "a.ts" } }];
  expect(only({ locations }, { artifacts })?.citations).toEqual([{ file: "a.ts" }]);
});

test.each([
  ["no location", { locations: [] }, "names no file, so that nothing can be checked"],
  ["no message", { message: {} }, "has no message"],
  ["the kind pass", { kind: "pass" }, "is of the kind pass, which reports no problem"],
])("a result with %s is named", (_, more, why) => {
  const report = parse(log([result(), result(more)]));
  expect(report.findings.length).toBe(1);
  expect(report.unread.map((entry) => [entry.line, entry.why])).toEqual([[2, why]]);
});

test.each([{ version: "1.0.0", runs: [] }, { version: "2.1.0" }, [], 7])(
  "%j is no SARIF log",
  (value) => {
    expect(() => parse(value)).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }));
  },
);

test("places and steps beyond the bounds are named, and a result within them is not", () => {
  const places = Array.from({ length: 101 }, (_, at) => location(`src/a${at}.ts`));
  const steps = places.map((one) => ({ location: one }));
  const flow = { codeFlows: [{ threadFlows: [{ locations: steps }] }] };
  const report = parse(log([result(), result({ locations: places }), result(flow)]));
  expect(report.findings.map(({ citations }) => citations.length)).toEqual([1, 100, 1]);
  expect(report.unread.map(({ line, why }) => `${line}: ${why}`)).toEqual([
    "2: names 101 places; the first 100 were read",
    "3: names 101 steps; the first 100 were read",
  ]);
});
