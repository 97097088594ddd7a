import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/flow/workflow-config.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const WORKFLOW = `
workflows:
  - name: api-review
    format: report
    verification: layer-2
    agents:
      - name: contracts
        role: Review of the interface
        scope: ["api/**"]
      - name: clients
        role: Review from the side of those who call it
        budget: 5
`;

function config(text: string) {
  const root = temporaryFolder();
  writeFileSync(join(root, "sworn.yaml"), text);
  return readConfig(root);
}

test("declared workflows are read, with what they leave open filled in", () => {
  expect(config(WORKFLOW)).toEqual({
    workflows: [
      {
        name: "api-review",
        format: "report",
        verification: "layer-2",
        agents: [
          { name: "contracts", role: "Review of the interface", scope: ["api/**"] },
          {
            name: "clients",
            role: "Review from the side of those who call it",
            budget: 5,
            scope: ["**"],
          },
        ],
      },
    ],
  });
});

test("no file, an empty one and one of comments settle nothing", () => {
  expect(readConfig(temporaryFolder())).toEqual({});
  expect(config("")).toEqual({});
  expect(config("# later\n")).toEqual({});
});

test.each([
  ["workflow: []", "sworn.yaml: workflow is not a field of it (did you mean workflows?)"],
  [
    WORKFLOW.replace("budget: 5", "budgt: 5"),
    "sworn.yaml: workflows[0].agents[1].budgt is not a field of it (did you mean budget?)",
  ],
  [
    WORKFLOW.replace("format: report", "format: reprt"),
    'sworn.yaml: workflows[0].format: expected one of report, research, status, found "reprt" (did you mean report?)',
  ],
  [
    "__proto__: { workflows: [] }",
    "sworn.yaml: __proto__ is not a field of it; its fields are workflows",
  ],
  ["workflows: [", /^sworn\.yaml, line 1, column \d+: /],
  ["workflows: []\nworkflows: []\n", /^sworn\.yaml, line 2, column 1: .*unique/],
  ["workflows: !!js/function x\n", /^sworn\.yaml, line 1, column \d+: .*tag/i],
  [
    `${WORKFLOW}${WORKFLOW.slice(12)}`,
    "sworn.yaml: the workflow api-review is declared twice; give one another name",
  ],
  ["- a list\n", /^sworn\.yaml: expected an object/],
])("what is wrong is named with its place: %#", (text, message) => {
  expect(() => config(text)).toThrow(message);
});

test("a chain of aliases, deep nesting and long files are refused in no time", () => {
  const bomb = Array.from({ length: 20 }, (_, index) =>
    index === 0
      ? 'a0: &a0 ["x"]'
      : `a${index}: &a${index} [${"*a".concat(String(index - 1), ", ").repeat(9)}]`,
  ).join("\n");
  expect(() => config(`${bomb}\n`)).toThrow(/alias/i);
  expect(() => config(`a: ${"[".repeat(100_000)}`)).toThrow(/nests deeper than 200/);
  expect(() => config(`${"- ".repeat(50_000)}x`)).toThrow(/nests deeper than 200/);
  expect(() => config("#".repeat(300_000))).toThrow(/expected at most 262144/);
});

test("the example in the format's page is read as it stands", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/formats/contract.md"), "utf8");
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(config(example).workflows?.map(({ name }) => name)).toEqual(["api-review"]);
});

test("a link in its place is not followed", () => {
  const root = temporaryFolder();
  writeFileSync(join(root, "other.yaml"), WORKFLOW);
  symlinkSync(join(root, "other.yaml"), join(root, "sworn.yaml"));
  expect(() => readConfig(root)).toThrow(
    "sworn.yaml cannot be read: it is a link, which is not followed",
  );
});

test("what runs may use and cost is read, with sane defaults, and nothing else is taken for it", () => {
  expect(config("runs: { licences: { deny: ['AGPL-*'] }, spend: { per_day: 2.5 } }")).toEqual({
    runs: {
      licences: { deny: ["AGPL-*"], accepted: [] },
      spend: { per_day: 2.5 },
    },
  });
  for (const wrong of [
    "runs: { licence: { deny: [] } }",
    "runs: { licences: { accepted: [] } }",
    "runs: { spend: { per_day: -1 } }",
    "runs: { spend: { per_day: 0.0001 } }",
    "runs: { spend: { per_week: 1 } }",
  ]) {
    expect(() => config(wrong), wrong).toThrow("sworn.yaml");
  }
});

test("a line of errors is refused as soon as one error is", () => {
  const began = performance.now();
  expect(() => config("!a ".repeat(80_000))).toThrow("sworn.yaml, line 1, column");
  expect(performance.now() - began).toBeLessThan(10_000);
}, 60_000);
