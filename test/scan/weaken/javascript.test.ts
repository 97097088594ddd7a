import { describe } from "vitest";
import { type Case, check as checkFile } from "./judging.ts";

const check = (cases: readonly Case[]) => checkFile(cases, "test/sum.test.ts");
/** A test with a body; it begins in line 1, its body in line 2. */
const body = (...lines: string[]) =>
  `test("adds", async () => {\n${lines.map((line) => `  ${line}\n`).join("")}});\n`;
const LOOSE = "weakened loosened 2";
const pair = (name: string, before: string, after: string, ...found: string[]): Case => [
  name,
  body(before),
  body(after),
  ...found,
];

describe("an assertion that demands less", () => {
  check([
    pair("a value becomes truthy", "expect(x).toBe(5);", "expect(x).toBeTruthy();", LOOSE),
    pair("a value becomes defined", "expect(x).toBe(5);", "expect(x).toBeDefined();", LOOSE),
    pair("a value becomes a part", 'expect(x).toBe("ab");', 'expect(x).toContain("a");', LOOSE),
    pair(
      "equality becomes a subset",
      "expect(x).toEqual({ a: 1, b: 2 });",
      "expect(x).toMatchObject({ a: 1 });",
      LOOSE,
    ),
    pair(
      "a subset loses a member",
      "expect(x).toMatchObject({ a: 1, b: 2 });",
      "expect(x).toMatchObject({ a: 1 });",
      LOOSE,
    ),
    pair("a number becomes a bound", "expect(x).toBe(5);", "expect(x).toBeGreaterThan(0);", LOOSE),
    pair(
      "a bound gets wider",
      "expect(x).toBeGreaterThan(5);",
      "expect(x).toBeGreaterThan(1);",
      LOOSE,
    ),
    pair(
      "an upper bound gets wider",
      "expect(x).toBeLessThan(5);",
      "expect(x).toBeLessThan(50);",
      LOOSE,
    ),
    pair(
      "a number becomes about a number",
      "expect(x).toBe(0.3);",
      "expect(x).toBeCloseTo(0.3);",
      LOOSE,
    ),
    pair(
      "fewer digits count",
      "expect(x).toBeCloseTo(0.3, 5);",
      "expect(x).toBeCloseTo(0.3, 1);",
      LOOSE,
    ),
    pair(
      "another value has the name",
      "const n = 5; expect(x).toBe(n);",
      "const n = 6; expect(x).toBe(n);",
      LOOSE,
    ),
    pair("another value is expected", "expect(x).toBe(5);", "expect(x).toBe(6);", LOOSE),
    pair(
      "another value in a list is expected",
      "expect(x).toEqual([1, 2]);",
      "expect(x).toEqual([1, 3]);",
      LOOSE,
    ),
    pair(
      "a member may be anything",
      "expect(x).toEqual({ a: 1 });",
      "expect(x).toEqual({ a: expect.anything() });",
      LOOSE,
    ),
    pair(
      "the whole may be anything",
      "expect(x).toEqual({ a: 1 });",
      "expect(x).toEqual(expect.anything());",
      LOOSE,
    ),
    pair("a not is put in", "expect(x).toBe(5);", "expect(x).not.toBe(5);", LOOSE),
    pair("a not is taken out", "expect(x).not.toContain(5);", "expect(x).toContain(5);", LOOSE),
    pair(
      "any error will do",
      "expect(() => f()).toThrow(RangeError);",
      "expect(() => f()).toThrow();",
      LOOSE,
    ),
    pair(
      "a broader error will do",
      "expect(() => f()).toThrow(RangeError);",
      "expect(() => f()).toThrow(Error);",
      LOOSE,
    ),
    pair(
      "a rejection may have any reason",
      'await expect(f()).rejects.toThrow("no such file");',
      "await expect(f()).rejects.toThrow();",
      LOOSE,
    ),
    pair(
      "less of a message is looked for",
      'expect(x).toContain("no such file");',
      'expect(x).toContain("file");',
      LOOSE,
    ),
    pair(
      "only the type is looked at",
      "expect(f(2)).toBe(4);",
      'expect(typeof f(2)).toBe("number");',
      LOOSE,
    ),
    pair(
      "a thing is held against itself",
      "expect(f(2)).toBe(4);",
      "expect(f(2)).toBe(f(2));",
      "weakened emptied 1",
    ),
    pair("true is true", "expect(f(2)).toBe(4);", "expect(true).toBe(true);", "weakened emptied 1"),
    pair(
      "a comparison of its own",
      "expect(f(2) === 4).toBe(true);",
      "expect(f(2) > 0).toBe(true);",
      LOOSE,
    ),
    pair("node's assertions", "assert.strictEqual(f(2), 4);", "assert.ok(f(2));", LOOSE),
    pair(
      "node's errors",
      "assert.throws(() => f(), RangeError);",
      "assert.throws(() => f());",
      LOOSE,
    ),
    pair("words of chai", "expect(x).to.deep.equal([1]);", "expect(x).to.be.ok;", LOOSE),
    pair("words of should", "x.should.equal(4);", "x.should.exist;", LOOSE),
    pair("words of ava", "t.is(x, 4);", "t.truthy(x);", LOOSE),
    pair(
      "calls are no longer looked at",
      "expect(spy).toHaveBeenCalledWith(1);",
      "expect(spy).toHaveBeenCalled();",
      LOOSE,
    ),
    pair(
      "a status of supertest",
      "await request(app).get('/').expect(200);",
      "await request(app).get('/');",
      "weakened emptied 1",
    ),
  ]);
});

describe("an assertion that is no longer reached or heard", () => {
  const IS = "expect(f(2)).toBe(4);";
  check([
    pair("in a try that swallows", IS, `try { ${IS} } catch {}`, LOOSE),
    pair(
      "in a catch of its promise",
      "await expect(f()).resolves.toBe(4);",
      "await expect(f()).resolves.toBe(4).catch(() => {});",
      LOOSE,
    ),
    pair(
      "without waiting for it",
      "await expect(f()).resolves.toBe(4);",
      "expect(f()).resolves.toBe(4);",
      LOOSE,
    ),
    pair("on a condition", IS, `if (ready) ${IS}`, LOOSE),
    pair("after a condition that leaves", IS, `if (!ready) return; ${IS}`, LOOSE),
    pair("behind an and", IS, "ready && expect(f(2)).toBe(4);", LOOSE),
    pair("after the end of the process", IS, `process.exit(0); ${IS}`, "weakened unreachable 2"),
    pair("after a return", IS, `return; ${IS}`, "weakened unreachable 2"),
    pair("in an if that is never taken", IS, `if (false) { ${IS} }`, "weakened unreachable 2"),
    pair(
      "in the else of what always holds",
      IS,
      `if (true) {} else { ${IS} }`,
      "weakened unreachable 2",
    ),
    pair("taken out", `${IS} expect(f(3)).toBe(9);`, IS, "weakened removed 1"),
    pair("all taken out", IS, "f(2);", "weakened emptied 1"),
    pair("made a comment", IS, `// ${IS}`, "weakened emptied 1"),
    pair("a check of one's own is taken out", `${IS} expectSquare(3);`, IS, "weakened removed 1"),
  ]);
});

describe("a runner's word that means something else now", () => {
  const T = body("expect(f(2)).toBe(4);");
  const IMPORT = 'import { expect, test } from "vitest";\n';
  check([
    ["a function", T, `function expect() {\n  return any;\n}\n${T}`, "weakened loosened 1"],
    ["a proxy", T, `const expect = new Proxy(a, b);\n${T}`, "weakened loosened 1"],
    ["for all files", T, `globalThis.expect = nothing;\n${T}`, "weakened loosened 1"],
    ["a method", T, `assert.equal = () => {};\n${T}`, "weakened loosened 1"],
    [
      "a matcher",
      T,
      `expect.extend({ toBe: () => ({ pass: true }) });\n${T}`,
      "weakened loosened 1",
    ],
    [
      "from the project",
      IMPORT + T,
      IMPORT.replace("vitest", "./mine.ts") + T,
      "note loosened 1",
      "note loosened 1",
    ],
    ["a matcher of one's own", T, `expect.extend({ toBeEven: () => ({ pass: true }) });\n${T}`],
    ["the runner's under its own name", T, `const test = base.extend({});\n${T}`],
    ["from another runner", IMPORT + T, IMPORT.replace("vitest", "@jest/globals") + T],
  ]);
});

describe("no alarm for", () => {
  const IS = "expect(f(2)).toBe(4);";
  check([
    pair("a name for a value", "expect(x).toBe(5);", "const n = 5; expect(x).toBe(n);"),
    pair("an assertion more", IS, `${IS} expect(f(3)).toBe(9);`),
    pair("a stronger assertion", "expect(x).toBeTruthy();", "expect(x).toBe(5);"),
    pair("a narrower bound", "expect(x).toBeGreaterThan(1);", "expect(x).toBeGreaterThan(5);"),
    pair("more digits", "expect(x).toBeCloseTo(0.3, 1);", "expect(x).toBeCloseTo(0.3, 5);"),
    pair(
      "a narrower error",
      "expect(() => f()).toThrow(Error);",
      "expect(() => f()).toThrow(RangeError);",
    ),
    pair(
      "an error with a message",
      "expect(() => f()).toThrow();",
      'expect(() => f()).toThrow("no");',
    ),
    pair(
      "more of a message",
      'expect(x).toContain("file");',
      'expect(x).toContain("no such file");',
    ),
    pair("another spelling of the same", "expect(x).toBe(null);", "expect(x).toBeNull();"),
    pair("deep equality of a plain value", "expect(x).toBe(5);", "expect(x).toEqual(5);"),
    pair(
      "other spaces and quotation marks",
      "expect( x ).toEqual([ 'a','b' ])",
      'expect(x).toEqual([\n "a",\n "b",\n]);',
    ),
    pair(
      "a variable of another name",
      "const a = f(); expect(a.size).toBe(4);",
      "const b = f(); expect(b.size).toBe(4);",
    ),
    pair("a condition that throws", IS, `if (!ready) throw new Error("no"); ${IS}`),
    pair("a try whose catch asserts", IS, `try { ${IS} } catch (e) { expect(e).toBe(1); }`),
    pair("a finally", IS, `try { ${IS} } finally { tidy(); }`),
    pair(
      "one demand for what were several",
      "expect(r.a).toBe(1); expect(r.b).toBe(2);",
      "expect(r).toEqual({ a: 1, b: 2 });",
    ),
    pair("the same in another order", `${IS} expect(f(3)).toBe(9);`, `expect(f(3)).toBe(9); ${IS}`),
    ["a new test", body(IS), `${body(IS)}test("more", () => { expect(1 + 1).toBe(2); });\n`],
    ["another title", body(IS), body(IS).replace("adds", "adds numbers")],
    ["a suite around it", body(IS), `describe("sums", () => {\n${body(IS)}});\n`],
    [
      "a check that moved into a function",
      body("const r = f(2);", "expect(r.ok).toBe(true);", "expect(r.value).toBe(4);"),
      `function fits(r) {\n  expect(r.ok).toBe(true);\n  expect(r.value).toBe(4);\n}\n${body("fits(f(2));")}`,
    ],
    [
      "a test that was split",
      body(IS, "expect(f(3)).toBe(9);"),
      `${body(IS)}test("three", () => {\n  expect(f(3)).toBe(9);\n});\n`,
    ],
    ["a test that runs again", body(IS).replace("test(", "test.skip("), body(IS)],
    [
      "a timeout that is shorter",
      body(IS).replace("});", "}, 9000);"),
      body(IS).replace("});", "}, 5000);"),
    ],
  ]);
});

describe("a test that no longer runs", () => {
  const T = body("expect(f(2)).toBe(4);");
  const SKIPPED = "weakened skipped 1";
  const both = `${T}test("two", () => { expect(f(3)).toBe(9); });\n`;
  check([
    ["test.skip", T, T.replace("test(", "test.skip("), SKIPPED],
    ["test.todo", T, 'test.todo("adds");\n', SKIPPED, "weakened emptied 1"],
    ["xtest", T, T.replace("test(", "xtest("), SKIPPED],
    ["xit", T.replace("test(", "it("), T.replace("test(", "xit("), SKIPPED],
    ["test.skipIf", T, T.replace("test(", "test.skipIf(slow)("), SKIPPED],
    ["test.fails", T, T.replace("test(", "test.fails("), SKIPPED],
    ["an option", T, T.replace('"adds", ', '"adds", { skip: true }, '), SKIPPED],
    ["a call inside", T, T.replace("expect", "this.skip(); expect"), "weakened skipped 2"],
    [
      "describe.skip, said once",
      `describe("s", () => {\n${both}});\n`,
      `describe.skip("s", () => {\n${both}});\n`,
      SKIPPED,
    ],
    ["xdescribe", `describe("s", () => {\n${T}});\n`, `xdescribe("s", () => {\n${T}});\n`, SKIPPED],
    ["only elsewhere", both, both.replace('("two"', `.only${'("two"'}`), "weakened skipped 4"],
    ["fit", both, both.replace("test(", "fit("), SKIPPED],
    ["it is gone", both, T, "weakened removed 4"],
    [
      "the process ends before it",
      both,
      both.replace('test("two"', 'process.exit(0);\ntest("two"'),
      "weakened removed 4",
    ],
    [
      "it is a comment",
      both,
      `${T}// test("two", () => { expect(f(3)).toBe(9); });\n`,
      "weakened removed 4",
    ],
    [
      "its word announces nothing",
      both,
      `const off = (_t, _f) => {};\n${both.replace("test(", "off(")}`,
      "weakened renamed-away 2",
    ],
  ]);
});

describe("a table", () => {
  const table = (...rows: string[]) =>
    `test.each([${rows.join(", ")}])("%i", (a, b) => {\n  expect(f(a)).toBe(b);\n});\n`;
  const named = (...rows: string[]) =>
    `const ROWS = [${rows.join(", ")}];\nfor (const [a, b] of ROWS) {\n  test("x", () => expect(f(a)).toBe(b));\n}\n`;
  check([
    ["loses a case", table("[1, 1]", "[2, 4]"), table("[1, 1]"), "weakened removed 1"],
    [
      "has another case instead",
      table("[1, 1]", "[2, 4]"),
      table("[1, 1]", "[2, 5]"),
      "note loosened 1",
    ],
    [
      "of a function that checks nothing loses a row",
      "function lines() {\n  for (const one of [1, 2]) print(one);\n}\n",
      "function lines() {\n  for (const one of [1]) print(one);\n}\n",
    ],
    ["gets one more", table("[1, 1]"), table("[1, 1]", "[2, 4]")],
    ["with a name loses a case", named("[1, 1]", "[2, 4]"), named("[2, 4]"), "weakened removed 3"],
    [
      "takes the place of tests",
      'test("one", () => { expect(f(1)).toBe(1); });\ntest("two", () => { expect(f(2)).toBe(4); });\n',
      table("[1, 1]", "[2, 4]"),
      "note removed 1",
      "note removed 2",
    ],
  ]);
});

describe("for whoever reads the change", () => {
  const T = body("expect(f(2)).toBe(4);");
  check([
    [
      "a longer timeout",
      T.replace("});", "}, 1000);"),
      T.replace("});", "}, 60_000);"),
      "note loosened 1",
    ],
    ["more retries", T, T.replace('"adds", ', '"adds", { retry: 5 }, '), "note loosened 1"],
    [
      "a double of the unit",
      `import { f } from "../src/sum.ts";\n${T}`,
      `import { f } from "../src/sum.ts";\nvi.mock("../src/sum.ts");\n${T}`,
      "note loosened",
    ],
    [
      "a double of something else",
      `import { f } from "../src/sum.ts";\n${T}`,
      `import { f } from "../src/sum.ts";\nvi.mock("../src/clock.ts");\n${T}`,
    ],
    pair(
      "a constant instead of a value",
      "expect(x).toBe(5);",
      "expect(x).toBe(FIVE);",
      "note loosened 2",
    ),
    pair(
      "something else is examined",
      "expect(f(2)).toBe(4);",
      "expect(g(2)).toBe(4);",
      "note loosened 2",
    ),
    pair(
      "a snapshot in the file",
      "expect(x).toMatchInlineSnapshot(`a`);",
      "expect(x).toMatchInlineSnapshot(`b`);",
      "note loosened 2",
    ),
  ]);
});

describe("functions and hooks that check something", () => {
  const helper = (check: string) => `function fits(r) {\n  ${check}\n}\n${body("fits(f(2));")}`;
  check([
    ["demand less", helper("expect(r).toBe(4);"), helper("expect(r).toBeTruthy();"), LOOSE],
    ["demand nothing", helper("expect(r).toBe(4);"), helper("return r;"), "weakened emptied 1"],
    [
      "are no longer called",
      helper("expect(r).toBe(4);"),
      helper("expect(r).toBe(4);").replace("fits(f(2))", "f(2)"),
      "weakened emptied 4",
    ],
    [
      "in a hook",
      "afterEach(() => {\n  expect(open).toBe(0);\n});\n",
      "afterEach(() => {\n  open;\n});\n",
      "weakened emptied 1",
    ],
    ["in a script", "assert.equal(f(2), 4);\n", "assert.ok(f(2));\n", "weakened loosened 1"],
  ]);
});
