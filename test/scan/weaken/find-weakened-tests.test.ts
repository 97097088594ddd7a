import { describe, expect, test } from "vitest";
import { findWeakenedTests } from "../../../src/scan/weaken/index.ts";
import { judged, messages } from "./judging.ts";

const ONE = 'test("adds", () => {\n  expect(f(2)).toBe(4);\n});\n';
const TWO = 'test("more", () => {\n  expect(f(3)).toBe(9);\n});\n';
const PYTHON = "def test_adds():\n    assert f(2) == 4\n";

describe("files as a whole", () => {
  test("a deleted file is said once, with its tests", () => {
    const files = [{ path: "test/sum.test.ts", before: ONE + TWO }];
    expect(judged(files)).toEqual(["weakened removed 1"]);
    expect(messages(files)).toEqual(['test/sum.test.ts is gone with 2 tests: "adds", "more"']);
  });

  test("a deleted file whose subject is deleted too is a note", () => {
    const before = `import { f } from "../src/sum.ts";\n${ONE}`;
    const files = [{ path: "test/sum.test.ts", before }];
    const subject = { path: "src/sum.ts", before: "export function f() {}\n" };
    expect(judged([...files, subject])).toEqual(["note removed 2"]);
    // Something else that is deleted, and a helper of tests, are no excuse.
    expect(judged([...files, { path: "src/other.ts", before: "1;\n" }])).toEqual([
      "weakened removed 2",
    ]);
    const helper = { path: "test/help.ts", before: "export function f() {}\n" };
    expect(
      judged([{ path: "test/sum.test.ts", before: `import "./help.ts";\n${ONE}` }, helper]),
    ).toEqual(["weakened removed 2"]);
  });

  test("a test of a function that is gone is a note", () => {
    const files = [
      { path: "test/sum.test.ts", before: ONE + TWO.replace("f(3)", "cube(3)"), after: ONE },
    ];
    const subject = {
      path: "src/sum.ts",
      before: "export const cube = 1;\nexport const f = 1;\n",
      after: "export const f = 1;\n",
    };
    expect(judged([...files, subject])).toEqual(["note removed 4"]);
    expect(
      judged([...files, { ...subject, after: `${subject.after}export const cube = 2;\n` }]),
    ).toEqual(["weakened removed 4"]);
  });

  test("a test that moved to another file is not gone, unless it demands less there", () => {
    const from = { path: "test/a.test.ts", before: ONE + TWO, after: ONE };
    expect(judged([from, { path: "test/b.test.ts", after: TWO }])).toEqual([]);
    const weak = TWO.replace("toBe(9)", "toBeTruthy()");
    expect(judged([from, { path: "test/b.test.ts", after: weak }])).toEqual([
      "weakened loosened 2",
    ]);
    expect(judged([from, { path: "src/b.ts", after: TWO }])).toEqual(["weakened renamed-away 1"]);
  });

  test.each([
    ["test/sum.test.ts", "test/sum.ts", ONE, ["weakened renamed-away"]],
    ["test/sum.test.ts", "test/sum.test.ts.off", ONE, ["weakened renamed-away"]],
    ["test/sum.test.ts", "node_modules/sum.test.ts", ONE, ["weakened renamed-away"]],
    ["test/sum.test.ts", ".old/sum.test.ts", ONE, ["weakened renamed-away"]],
    ["src/sum.test.ts", "src/__tests__/sum.ts", ONE, ["note renamed-away"]],
    ["test/sum.test.ts", "test/deep/total.spec.ts", ONE, []],
    ["tests/test_sum.py", "tests/sum.py", PYTHON, ["weakened renamed-away"]],
    ["tests/test_sum.py", "tests/unit/test_total.py", PYTHON, []],
  ])("renamed from %s to %s", (renamedFrom, path, text, found) => {
    expect(judged([{ path, renamedFrom, before: text, after: text }])).toEqual(found);
  });

  test("a stored result that is rewritten is a note; a new one is none", () => {
    const path = "test/__snapshots__/a.test.ts.snap";
    expect(judged([{ path, before: "a\nb\n", after: "a\nc\n" }])).toEqual(["note loosened"]);
    expect(judged([{ path, before: "a\n", after: "a\nb\n" }])).toEqual([]);
    expect(judged([{ path, after: "a\n" }])).toEqual([]);
    expect(judged([{ path, before: "a\n" }])).toEqual(["note removed"]);
  });
});

test("messages name the test, what it demanded and what it demands now", () => {
  const suite = `describe("sums", () => {\n${ONE}});\n`;
  const after = suite.replace("toBe(4)", "toBeTruthy()");
  expect(findWeakenedTests([{ path: "a.test.ts", before: suite, after }])).toEqual([
    {
      kind: "loosened",
      severity: "weakened",
      path: "a.test.ts",
      line: 3,
      side: "after",
      test: "sums > adds",
      message:
        'Test "sums > adds": it demanded `expect(f(2)).toBe(4)` before and demands `expect(f(2)).toBeTruthy()` now: it demands less now',
    },
  ]);
});

test("of long texts a message shows where they differ", () => {
  const long = (last: string) =>
    ONE.replace("4", `[${"100, ".repeat(80)}${last}]`).replace("toBe", "toEqual");
  const [message] = messages([{ path: "a.test.ts", before: long("7"), after: long("8") }]);
  expect(message).toMatch(
    /^Test "adds": it demanded `expect\(f\(2\)\)\.toEqual.*100, 7\]\)` before/,
  );
  expect(message).toContain("100, 8])` now: another value is expected now");
});

describe("what cannot be read is said", () => {
  const path = "test/sum.test.ts";

  test("broken syntax, and the rest of the file is judged", () => {
    const after = `${ONE}test("more", () => {\n  expect((f(3).toBe(9);\n`;
    expect(judged([{ path, before: ONE + TWO, after }])).toContain("weakened unread");
    // Where the parser lagged behind before the change as well, it is a note.
    const odd = `const a = ((;\n${ONE}`;
    expect(judged([{ path, before: odd, after: `${odd}// more\n` }])).toEqual(["note unread"]);
  });

  test("a file that is too long", () => {
    const after = ONE + "//".padEnd(2_000_001);
    expect(judged([{ path, before: ONE, after }])).toEqual(["weakened unread"]);
  });

  test("code that is nested deeper than anybody writes", () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const after = ONE.replace("f(2)", deep);
    expect(judged([{ path, before: ONE, after }])).toContain("weakened unread 1");
    const outside = `${"if (a) {".repeat(3_000)}${"}".repeat(3_000)}\n${ONE}`;
    expect(judged([{ path, before: ONE, after: outside }])).toEqual(["weakened unread"]);
  });

  test("one test that cannot be read keeps no other from being judged", () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const first = 'test("deep", () => {\n  expect(f(1)).toBe(1);\n});\n';
    const after =
      first.replace("f(1)", deep) + ONE.replace("  expect(f(2)).toBe(4);\n", "  f(2);\n");
    expect(judged([{ path, before: first + ONE, after }]).toSorted()).toEqual([
      "weakened emptied 4",
      "weakened unread 1",
    ]);
    const gone = [{ path, before: first.replace("f(1)", deep) + TWO + ONE, after: ONE }];
    expect(judged(gone)).toEqual(["weakened removed 1", "weakened removed 4"]);
  });

  test("a change that is too large as a whole", () => {
    const after = "x".repeat(40 * (1 << 20));
    const files = [1, 2].map((n) => ({ path: `data/${n}.txt`, after }));
    expect(judged(files)).toEqual(["weakened unread"]);
  });
});

test("a name of a million letters, and thousands of tests that are gone, take no long time", () => {
  const long = "a".repeat(900_000);
  const many = (count: number, word: string) =>
    Array.from(
      { length: count },
      (_, n) => `test("${word}${n}", () => {\n  expect(f(${n})).toBe("${word}");\n});\n`,
    ).join("");
  const plain = Array.from(
    { length: 2_000 },
    (_, n) => `function g${n}() {\n  return ${n};\n}\n`,
  ).join("");
  const start = process.cpuUsage();
  const path = "a.test.js";
  expect(judged([{ path, before: ONE.replace("4", "b"), after: ONE.replace("4", long) }])).toEqual([
    "note loosened 2",
  ]);
  expect(judged([{ path, before: many(600, "x"), after: plain }])).toHaveLength(600);
  expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
});

test("double the tests take about double the time", () => {
  const file = (count: number, value: string) =>
    Array.from(
      { length: count },
      (_, n) => `test("t${n}", () => {\n  expect(f(${n})).toBe(${value});\n});\n`,
    ).join("");
  const timed = (count: number) => {
    const files = [{ path: "a.test.js", before: file(count, "1"), after: file(count, "2") }];
    const start = process.cpuUsage();
    findWeakenedTests(files);
    return process.cpuUsage(start).user;
  };
  timed(50);
  const [once, fourfold] = [timed(100), timed(400)];
  expect(fourfold / once).toBeLessThan(10);
});
