import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";
import { read } from "./report.ts";

const named = (text: string) => read(text).places.map(({ file, line, at }) => [file, line, at]);

test.each([
  ["a paragraph", "Also, src/config.ts:12 leaks.", 1],
  ["a later line of one", "Also\nsee `src/config.ts:12`.", 2],
  ["a heading", "# Leak in src/config.ts#L12", 1],
  ["a list", "## Observations\n\n1. fine\n2. src/config.ts (line 12) leaks", 4],
  ["a list in a list", "- a\n  - src/config.ts:12 leaks", 2],
  ["a table", "| a | b |\n| - | - |\n| src/config.ts:12 | leaks |", 3],
  ["HTML", "<p>src/config.ts:12 leaks</p>", 1],
  ["a note", "> [!WARNING]\n> src/config.ts:12 leaks", 2],
  ["what nobody could show", "## Unverified Observations\n\n- src/config.ts:12 leaks", 3],
  ["a finding", "- **High** `a.ts:1` is reached\n\n  from `src/config.ts:12`", 3],
])("a line of a file is named in %s", (_, text, at) => {
  expect(named(text).at(-1)).toEqual(["src/config.ts", 12, at]);
});

test.each([
  ["quoted code", "```js\n// src/config.ts:12\n```"],
  ["an indented block", "text\n\n    src/config.ts:12\n"],
  ["a quotation", "> src/config.ts:12 leaks"],
  ["preformatted HTML", "<pre>src/config.ts:12</pre>"],
  ["a comment", "<!-- src/config.ts:12 -->"],
  ["a command", "Run `node src/config.ts:12 --x`"],
  [
    "an address",
    "See http://localhost:3000/config.ts:12 and [x](https://a.example/config.ts#L12).",
  ],
  ["a host", "It connects to db.internal:5432, localhost:3000 and 127.0.0.1:80."],
  ["a time and a version", "At 12:30 with v1.2.3:4, node:20.11, postgres:15."],
  ["what others installed", "See node_modules/zod/index.js:12 and /usr/lib/python3/json.py:12."],
  ["what a run leaves", "It wrote out/report.json:1 and the output is `out/log.txt:3`."],
  ["what is to be made", "Create a new file `src/config.ts:1` for it."],
  ["what is said to be gone", "`src/config.ts:12` does not exist; deleted src/b.ts:3."],
  ["a file without a line", "The file src/config.ts leaks."],
])("no line of a file is named by %s", (_, text) => {
  expect(named(text)).toEqual([]);
});

test("words about a missing thing do not make the place a missing one", () => {
  expect(named("There is no escaping in src/config.ts:12.")).toHaveLength(1);
  expect(named("Add a check to src/config.ts:12.")).toHaveLength(1);
  expect(named("e.g. src/config.ts:12 leaks")).toHaveLength(1);
});

test("the prose of findings in JSON names places as well, and its fences quote", () => {
  const issue = "Reached from src/config.ts:12.\n```\nsrc/b.ts:3\n```\n";
  const findings = [{ id: "A-1", title: "T", priority: "P1", file: "a.ts", line: 1, issue }];
  const report = parseReport(JSON.stringify({ findings }), { path: "report.json" });
  expect(report.places).toEqual([{ file: "src/config.ts", line: 12, at: 0 }]);
});
