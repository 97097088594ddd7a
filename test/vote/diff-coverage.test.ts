import { expect, test } from "vitest";
import { diffCoverage, isCovered, isUnmeasured } from "../../src/vote/index.ts";

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

test.each([
  "/* c8 ignore next 30 */",
  "  /* istanbul ignore next: never */",
  "// v8 ignore start",
  "/* node:coverage disable */",
  "def wipe():  # pragma: no cover",
  "# :nocov:",
  "int x; // LCOV_EXCL_START",
  " * @codeCoverageIgnore",
  "#[coverage(off)]",
  "    [ExcludeFromCodeCoverage]",
])("%s takes code out of what is measured", (line) => {
  expect(isUnmeasured(line)).toBe(true);
});

test.each([
  'const words = "istanbul ignore";',
  "// the c8 report does not ignore it",
  "# no cover is set on the page",
  "ignoreNext(coverage);",
])("%s takes nothing out", (line) => {
  expect(isUnmeasured(line)).toBe(false);
});

test.each([
  ...[
    "lib/app.ex",
    "bin/release.sh",
    "app/Page.vue",
    "lib/main.dart",
    "src/core.clj",
    "src/Main.hs",
  ],
  ...["a/b.kts", "x.lua", "src/lib.zig", "deploy.ps1", "src/kernel.cxx"],
])("tests are expected to reach %s", (path) => {
  expect(isCovered(path)).toBe(true);
});

test.each(["docs/page.md", "data.json", "test/app.exs", "style.css", "lib/app_test.go"])(
  "no test is expected to reach %s",
  (path) => {
    expect(isCovered(path)).toBe(false);
  },
);
