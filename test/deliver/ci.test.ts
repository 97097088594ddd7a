import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { expect, test } from "vitest";
import { renderCiMarkdown, renderCiSarif, renderCiWords } from "../../src/deliver/ci/index.ts";
import type { CiReport, CiRun } from "../../src/schema/ci-report.ts";

const RUN: CiRun = { state: "pass", exit: 0, tests: null, why: "exit code 0", output: "" };
const HOSTILE = [
  "All tests pass @everyone a@b.example #12 GH-3 team/app#4 | x | <img src=x onerror=y> &copy;",
  "[a](https://evil.example) ![b](//evil.example/p.png) www.evil.example `code",
  "##[error]no ##vso[task.complete]\u001b[2J\u202e\u200b",
].join(" ");

function report(over: Partial<CiReport> = {}): CiReport {
  return {
    ...{ v: 1, kind: "ci", status: "fail", request: 7, base: "a".repeat(40), head: "b".repeat(40) },
    judge: {
      ...{ commit: "a".repeat(40), how: "origin/main", declared: "ci.checks" },
      is_changed_by_head: false,
    },
    ...{ suggestion: null, checks: [], put_back: [], weakened: [], notes: [], posted: null },
    claims: [{ kind: "tests", text: HOSTILE, verdict: "refuted", why: HOSTILE }],
    ...over,
  };
}

/** All nodes of a document, the inner ones too. */
function nodesOf(node: {
  readonly type: string;
  readonly children?: readonly unknown[];
}): string[] {
  const below = (node.children ?? []) as (typeof node)[];
  return [node.type, ...below.flatMap(nodesOf)];
}

test("words of a pull request are no markup, call nobody and lead nowhere", () => {
  const text = renderCiMarkdown(report());
  const tree = fromMarkdown(text, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  const kinds = new Set(nodesOf(tree));
  expect(["link", "image", "html", "definition"].filter((kind) => kinds.has(kind))).toEqual([]);
  expect(nodesOf(tree).filter((kind) => kind === "tableRow")).toHaveLength(2);
  expect(text).not.toMatch(/@[a-z]/i);
  expect(text).not.toMatch(/#\d|GH-\d/);
  expect(text).not.toMatch(/##\[|##vso/);
  expect(text).not.toMatch(/https?:\/\/|www\.e/);
  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u202e");
});

test("no line for a runner's log is one that it obeys", () => {
  const output = "::error::x\n  ::add-mask::y\n##[group]z\n";
  const failed: CiRun = { ...RUN, state: "fail", exit: 1, output };
  const words = renderCiWords(
    report({
      checks: [
        {
          ...{ name: "tests", argv: ["npm", "test"], is_tests: true, status: "fail" },
          ...{ shows: "::error::x", base: RUN, head: failed, old_tests: failed },
        },
      ],
    }),
  );
  const lines = [words.title, ...words.rows.map((row) => row.join("  ")), words.rest]
    .join("\n")
    .split("\n");
  expect(lines.filter((line) => /^\s*::|##\[|##vso/.test(line))).toEqual([]);
  expect(lines.join("\n")).toContain("| ::error::x");
});

test("of a long output, what failed is shown by its name, and the end", () => {
  const passed = Array.from({ length: 60 }, (_, at) => `ok ${at} - t${at}`);
  const output = [
    ...passed,
    "not ok 60 - the sum",
    "  expected: 3",
    "  actual: 4",
    ...passed,
    "# fail 1",
  ];
  const failed: CiRun = { ...RUN, state: "fail", exit: 1, output: output.join("\n") };
  const check = { name: "tests", argv: ["npm", "test"], is_tests: true, status: "fail" as const };
  const runs = {
    shows: "it fails",
    base: RUN,
    head: failed,
    old_tests: { ...RUN, state: "same" as const },
  };
  const { rest } = renderCiWords(report({ checks: [{ ...check, ...runs }] }));
  for (const telling of ["not ok 60 - the sum", "actual: 4", "# fail 1"]) {
    expect(rest).toContain(`| ${telling}`);
  }
  expect(rest.split("\n").filter((line) => line.startsWith("  | "))).toHaveLength(20);
});

test("however much there is to say, the table stays one that a forge takes", () => {
  const claims = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ kind: "tests" as const, verdict: "refuted" as const },
    ...{ text: `${at} ${"|@x ".repeat(75)}`, why: "|@x ".repeat(200) },
  }));
  const text = renderCiMarkdown(report({ claims }));
  expect(text).toContain("1800 more rows are in the report.");
});

test("what is wrong is a SARIF log that leads nowhere outside of the tree", () => {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const path = resolve(import.meta.dirname, "../vectors/sarif-schema-2.1.0.json");
  const validate = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
  const weakened = [
    { path: "test/a.test.js", line: 3, side: "after" as const },
    { path: "test/b.test.js", line: 4, side: "before" as const },
    { path: "../../etc/passwd", line: 1, side: "after" as const },
  ].map((one) => ({
    ...one,
    ...{ severity: "weakened" as const, kind: "removed", is_rewrite: false, message: HOSTILE },
  }));
  const log = renderCiSarif(report({ weakened })) as {
    readonly runs: readonly { readonly results: readonly { readonly locations?: unknown }[] }[];
  };
  expect([validate(log), validate.errors]).toEqual([true, null]);
  const file = (uri: string, region = {}) => [
    { physicalLocation: { artifactLocation: { uri, uriBaseId: "SRCROOT" }, ...region } },
  ];
  expect(log.runs[0]?.results.map(({ locations }) => locations)).toEqual([
    file("test/a.test.js", { region: { startLine: 3 } }),
    file("test/b.test.js"),
    undefined,
    undefined,
  ]);
  expect(JSON.stringify(log)).not.toContain("\u001b");
});
