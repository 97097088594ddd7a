import { expect, test } from "vitest";
import { table } from "../../src/cli/table.ts";

const HEAD = ["RESULT", "WHAT", "BASE", "HEAD", "SHOWS"];
const LONG =
  "passes on base and on head; passes only with its own changed tests, and not with those";
const ROWS = [
  ["fail", "check tests", "pass, 2", "pass, 1", LONG],
  ["unverified", `claim "${LONG}"`, "", "", "nothing shows it"],
];

test("a table that fits, and one that no terminal shows, has a line for each row", () => {
  const lines = [
    "RESULT      WHAT  BASE  HEAD  SHOWS",
    "fail        x     1     2     it fits",
    "unverified  y",
  ];
  const rows = [
    ["fail", "x", "1", "2", "it fits"],
    ["unverified", "y", "", "", ""],
  ];
  expect(table(HEAD, rows, 80)).toBe(lines.join("\n"));
  expect(table(HEAD, ROWS).split("\n")).toHaveLength(3);
});

test("a long last cell goes on below itself", () => {
  const rows = [["SEC-1", "src/a.js:1", LONG]];
  expect(table(["FINDING", "PLACE", "WHY"], rows, 60).split("\n")).toEqual([
    "FINDING  PLACE       WHY",
    "SEC-1    src/a.js:1  passes on base and on head; passes only",
    "                     with its own changed tests, and not",
    "                     with those",
  ]);
});

test("where no column has room, each row is a paragraph, and what stands in it is all there", () => {
  expect(table(HEAD, ROWS, 60).split("\n")).toEqual([
    "RESULT      WHAT, BASE, HEAD, SHOWS",
    "fail        check tests",
    "            base: pass, 2; head: pass, 1",
    "            passes on base and on head; passes only with its",
    "            own changed tests, and not with those",
    'unverified  claim "passes on base and on head; passes only',
    '            with its own changed tests, and not with those"',
    "            nothing shows it",
  ]);
});

test("a word that fits nowhere is left whole, so that it can be copied", () => {
  const address = `src/${"deep/".repeat(20)}a.js`;
  const lines = table(["FINDING", "WHY"], [["SEC-1", `see ${address} for it`]], 40).split("\n");
  expect(lines.map((line) => line.trim())).toEqual([
    "FINDING  WHY",
    "SEC-1    see",
    address,
    "for it",
  ]);
});

test("beside a long first cell stands the second one where it has room, else it stands below", () => {
  const task = "a-name-of-a-task-that-has-no-room-beside-the-run";
  const run = "20261119-2345476660-5205";
  const rows = [
    [run, "note", "coder", "completed", LONG],
    [run, task, "coder", "completed", ""],
  ];
  const lines = table(["RUN", "TASK", "AGENT", "STATE", "WHY"], rows, 70).split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "RUN           TASK, AGENT, STATE, WHY",
    `${run}  note`,
    "              agent: coder; state: completed",
  ]);
  expect(lines.slice(-3)).toEqual([
    run,
    `              ${task}`,
    "              agent: coder; state: completed",
  ]);
  expect(lines.every((line) => line.length <= 70)).toBe(true);
});
