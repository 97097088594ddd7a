import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderSarif } from "../../src/deliver/index.ts";
import type { ReviewReport } from "../../src/schema/review.ts";
import { emptyReport, hostileReport, hostileReports, reported, sampleReport } from "./sample.ts";

const SCHEMA = resolve(import.meta.dirname, "../vectors/sarif-schema-2.1.0.json");
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

interface Location {
  physicalLocation?: {
    artifactLocation: { uri: string; uriBaseId: string };
    region?: { startLine: number; endLine: number; snippet?: { text: string } };
    contextRegion?: { startLine: number; endLine: number };
  };
  message?: { text: string };
}
interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: Location[];
  relatedLocations: Location[];
  codeFlows?: { threadFlows: { locations: { location: Location }[] }[] }[];
  partialFingerprints: Record<string, string>;
  properties: Record<string, unknown>;
}
interface Run {
  tool: { driver: { name: string; rules: { id: string }[] } };
  invocations: {
    executionSuccessful: boolean;
    toolExecutionNotifications: { message: { text: string } }[];
  }[];
  results: Result[];
  properties: Record<string, unknown>;
}

/** The one run of a log, after the published schema agreed with its JSON text. */
function runOf(report: ReviewReport): Run {
  const log: unknown = JSON.parse(JSON.stringify(renderSarif(report)));
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  return (log as { runs: [Run] }).runs[0];
}

function resultOf(file: string): Result {
  const finding = reported({ citations: [{ file, line: 2, end_line: 2 }] });
  const [result] = runOf(emptyReport({ findings: [finding] })).results;
  if (result === undefined) throw new Error("expected one result");
  return result;
}

const uriOf = (file: string): string | undefined =>
  resultOf(file).locations[0]?.physicalLocation?.artifactLocation.uri;

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

test("the schema tells a wrong log from a right one", () => {
  expect(validate({ version: "2.1.0", runs: [{ tool: {} }] })).toBe(false);
  expect(validate({ version: "2.1.0", runs: [] })).toBe(true);
});

test("an empty report is a valid log of a run that succeeded", () => {
  const run = runOf(emptyReport());
  expect(run.tool.driver).toEqual({ name: "Sworn", rules: [] });
  expect(run.results).toEqual([]);
  expect(run.invocations[0]).toMatchObject({
    executionSuccessful: true,
    toolExecutionNotifications: [],
  });
});

test("a report with gaps is a run that did not succeed, and says why", () => {
  const [invocation] = runOf(sampleReport()).invocations;
  expect(invocation?.executionSuccessful).toBe(false);
  expect(invocation?.toolExecutionNotifications.map(({ message }) => message.text)).toEqual([
    "Not covered: web/**/*.tsx (frontend): nobody else looks at these files",
    "Not covered: assets/map.bin: the file is not text",
    "Reviewer frontend is missing: no file was delivered in time",
    "Refuted: backend said Transactions are never rolled back: The file has no such line.",
    "Not read: line 41 of the report by backend: no place in a file is given",
  ]);
});

test.each(["completed_with_gaps", "failed", "cancelled"] as const)(
  "a run that ended as %s did not succeed",
  (status) => {
    expect(runOf(emptyReport({ status })).invocations[0]?.executionSuccessful).toBe(false);
  },
);

test("each finding is a result of its category's rule, at the level of its priority", () => {
  const { results, tool } = runOf(sampleReport());
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ["sql-injection", "error"],
    ["command-injection", "error"],
    ["weak-hash", "warning"],
    ["float-money", "note"],
  ]);
  for (const { ruleId, ruleIndex } of results) {
    expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  }
});

test("a result carries its lines, what is around them, its path and who stands behind it", () => {
  const [result] = runOf(sampleReport()).results;
  const place = result?.locations[0]?.physicalLocation;
  expect(place?.artifactLocation).toEqual({ uri: "src/routes/login.ts", uriBaseId: "SRCROOT" });
  expect(place?.region).toMatchObject({ startLine: 9, endLine: 10 });
  expect(place?.region?.snippet?.text).toMatch(/^ {2}const sql = .*\n {2}const rows = .*none$/);
  expect(place?.contextRegion).toMatchObject({ startLine: 3, endLine: 16 });
  const flow = result?.codeFlows?.[0]?.threadFlows[0]?.locations ?? [];
  const lines = flow.map(({ location }) => location.physicalLocation?.region?.startLine);
  expect(lines).toEqual([7, 9, 10]);
  expect(result?.relatedLocations.length).toBe(3);
  expect(result?.partialFingerprints).toEqual({
    "swornIdentity/v1": sampleReport().findings[0]?.identity,
  });
  expect(result?.properties).toMatchObject({
    ...{ id: "SEC-001", verdict: "CONFIRMED", support: "second-reviewer" },
    ...{ by: "security", also_by: ["backend"] },
  });
});

test("a finding that is somewhere else is located at its true place", () => {
  const result = runOf(sampleReport()).results[2];
  expect(result?.locations[0]?.physicalLocation?.region).toMatchObject({
    startLine: 8,
    endLine: 8,
  });
});

test("what the source refutes is counted and is no result", () => {
  const run = runOf(sampleReport());
  expect(run.results.length).toBe(4);
  expect(run.properties["refuted"]).toBe(1);
  expect(JSON.stringify(run)).not.toContain("BACK-004");
});

test.each([
  ["src/a b.ts", "src/a%20b.ts"],
  ["a#b?c%20.ts", "a%23b%3Fc%2520.ts"],
  ["c:/x.ts", "c%3A/x.ts"],
  ["javascript:alert(1)", "javascript%3Aalert%281%29"],
  ["back\\slash", "back%5Cslash"],
  ["ünï/日本.ts", "%C3%BCn%C3%AF/%E6%97%A5%E6%9C%AC.ts"],
  ["new\nline", "new%0Aline"],
  ["half\ud800", "half%EF%BF%BD"],
  ["a..b/...", "a..b/..."],
])("the file %j becomes the reference %j", (file, uri) => {
  expect(uriOf(file)).toBe(uri);
});

test.each(["/etc/passwd", "//host/share", "../up", "a/../b", "a//b", "./a", "a/"])(
  "the file %j is no place inside the tree, and is said in words",
  (file) => {
    expect(uriOf(file)).toBeUndefined();
    expect(resultOf(file).locations).toEqual([{ message: { text: `cited as ${file}:2` } }]);
  },
);

test("an end before the start is a region of one line", () => {
  const finding = reported({ citations: [{ file: "a", line: 7, end_line: 3 }] });
  const [result] = runOf(emptyReport({ findings: [finding] })).results;
  expect(result?.locations[0]?.physicalLocation?.region).toEqual({ startLine: 7, endLine: 7 });
});

test("a text that a viewer would follow as a link is no link", () => {
  const finding = reported({ issue: "see [this](https://evil.example)" });
  const [result] = runOf(emptyReport({ findings: [finding] })).results;
  expect(result?.message.text).toContain("[this] (https://evil.example)");
});

test("hostile content gives a valid log of well-formed text", () => {
  const run = runOf(hostileReport());
  expect(run.results.length).toBe(hostileReport().findings.length);
  expect(strings(run).filter((text) => !text.isWellFormed())).toEqual([]);
});

test("any report gives a valid log", () => {
  fc.assert(
    fc.property(hostileReports, (report) => {
      expect(runOf(report).results.length).toBe(report.findings.length);
    }),
    { numRuns: 100 },
  );
});
