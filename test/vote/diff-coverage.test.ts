import { expect, test } from "vitest";
import { diffCoverage, isCovered } from "../../src/vote/index.ts";

const LCOV = `TN:
SF:src/a.ts
DA:1,1
DA:2,0
DA:3,5
end_of_record
SF:/home/me/project/src/b.ts
DA:7,1
DA:8,0
end_of_record
`;
const lines = (...numbers: number[]) => new Set(numbers);
const of = (changed: ReadonlyMap<string, ReadonlySet<number>>) =>
  diffCoverage(LCOV, changed, "/home/me/project");

test("only lines that the change touches count", () => {
  const changed = new Map([["src/a.ts", lines(2, 3, 9)]]);
  expect(of(changed)).toEqual({ covered: 1, measured: 2, percent: 50 });
  expect(of(new Map([["src/b.ts", lines(7)]])).percent).toBe(100);
});

test("a file that was left out of the report counts as not reached", () => {
  const changed = new Map([
    ["src/a.ts", lines(1)],
    ["src/c.ts", lines(1, 2, 3)],
  ]);
  expect(of(changed)).toEqual({ covered: 1, measured: 4, percent: 25 });
});

test("where no line of the change was measured there is no figure", () => {
  expect(of(new Map([["src/a.ts", lines(9)]])).percent).toBeUndefined();
});

test("a report on a file of the same name elsewhere says nothing of this one", () => {
  for (const path of ["a.ts", "project/src/b.ts"]) {
    expect(of(new Map([[path, lines(1, 7)]])).percent).toBe(0);
  }
});

test("code that hardly anybody measures is code all the same", () => {
  for (const path of ["bin/dead.sh", "a.vue", "b.lua", "c.ps1", "d.exs"]) {
    expect(isCovered(path)).toBe(true);
  }
  for (const path of ["README.md", "a.json", "Makefile", "test/run.sh"]) {
    expect(isCovered(path)).toBe(false);
  }
});
