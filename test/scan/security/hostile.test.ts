import { describe, expect, test } from "vitest";
import { security } from "../../../src/scan/security/index.ts";
import { alarms } from "./reviewing.ts";

const PLAIN = 'require("child_process").exec("ls " + a)';

/** Generous: it tells bounded work from endless work, not fast from slow. */
const BOUND_MS = 60_000;

function bounded(text: string, path = "lib/file.js"): void {
  const from = performance.now();
  security.review({ path, text });
  expect(performance.now() - from).toBeLessThan(BOUND_MS);
}

describe("hostile input is bounded", () => {
  test.each([
    ["deep brackets", "[".repeat(20_000) + "]".repeat(20_000)],
    ["deep calls", `${"f(".repeat(5_000)}1${")".repeat(5_000)}`],
    ["a long chain of calls", `a${".b(c)".repeat(5_000)}`],
    ["a long sum", `exports.f = (a) => a${" + a".repeat(20_000)}`],
    ["deep functions", `${"function f(a) {".repeat(1_000)}${"}".repeat(1_000)}`],
    ["deep conditions", `function f(a) {${"if (a) {".repeat(2_000)}${"}".repeat(2_000)}}`],
    ["deep loops", `function f(a) {${"for (const b of a) {".repeat(100)}g(b)${"}".repeat(100)}}`],
    ["an else-if chain", `function f(a) {${"if (a === 1) b(); else ".repeat(3_000)}c()}`],
    [
      "10,000 functions",
      Array.from(
        { length: 10_000 },
        (_, at) => `exports.f${at} = (a) => f${at - 1}(a + "x");`,
      ).join("\n"),
    ],
    [
      "functions that call each other",
      Array.from(
        { length: 300 },
        (_, at) => `function f${at}(a) { return f${(at * 7) % 300}(a) + f${(at * 11) % 300}(a); }`,
      ).join("\n"),
    ],
    [
      "many variables and branches",
      `function f(a) {${Array.from({ length: 2_000 }, (_, at) => `let v${at} = a + v${at - 1}; if (v${at} === "x") return;`).join("\n")}}`,
    ],
    ["nested ternaries", `exports.f = (a) => ${"a ? b : ".repeat(2_000)}c`],
    ["nested templates", `exports.f = (a) => ${"`${".repeat(1_000)}a${"}`".repeat(1_000)}`],
  ])("%s", (_, text) => {
    bounded(text);
  });

  test.each([
    ["deep brackets", `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
    ["broken indentation", "def f(a):\n  if a:\n eval(a)\n   else\n"],
  ])("Python: %s", (_, text) => {
    bounded(text, "a.py");
  });

  test("a 1 MB line is taken as machine-made and not judged", () => {
    const line = `exports.f = (a) => { ${PLAIN}; };`;
    expect(alarms(line)).toEqual(["command-injection"]);
    expect(alarms(`${line} ${"var x = 1; ".repeat(100_000)}`)).toEqual([]);
  });

  test("broken syntax gives what stands around it", () => {
    expect(alarms(`exports.f = (a) => { ${PLAIN}; };\nfunction ( { ]] class`)).toEqual([
      "command-injection",
    ]);
  });

  test.each([
    "",
    "\u0000",
    "\uD800",
    "// only a comment",
    "}".repeat(100),
    "#!/usr/bin/env node\n",
  ])("odd text %j does not throw", (text) => {
    expect(alarms(text)).toEqual([]);
    expect(alarms(text, "a.py")).toEqual([]);
  });
});

test("what is nested too deep to be looked at is told", () => {
  const leftOut = (depth: number) => {
    const told: string[] = [];
    const text = `exports.f = (a) => {${"{".repeat(depth)}${PLAIN}${"}".repeat(depth)}};`;
    security.review({ path: "lib/file.js", text }, (why) => told.push(why));
    return told;
  };
  expect(leftOut(10)).toEqual([]);
  expect(leftOut(400)).toEqual(["what is nested too deep or too large in it"]);
});
