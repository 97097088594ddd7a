import { expect, test } from "vitest";
import {
  ADD,
  BELOW,
  PROJECT,
  RequestStage,
  states,
  tests,
  verdicts,
  WRONG_ADD,
} from "./request-stage.ts";

const BODY = "All tests pass.";
const ONE = { ...PROJECT, "test/add.test.js": tests({ below: BELOW }) };

test("a file that ends before its only test begins counts as one that passed, and its test is missed", async () => {
  for (const end of ["process.exit(0)", "process.reallyExit(0)"]) {
    const stage = new RequestStage(ONE);
    const report = await stage.judge(stage.change({ "src/add.js": `${ADD}${end};\n` }), BODY);
    expect(states(report)).toEqual(["pass", "pass", "same"]);
    expect(report.checks[0]).toMatchObject({
      status: "unproven",
      shows:
        'passes on base and on head; no file of tests was changed; test "below" of test/add.test.js passed before the change, and did not run after it',
    });
    expect(verdicts(report)).toEqual(["tests unverified"]);
  }
});

test("so is one that failed on base, and one whose title stands nowhere", async () => {
  const wrong = { ...ONE, "src/add.js": "export const add = Math.hypot;\n" };
  const made = tests({ below: BELOW }).replace('"below"', '"be" + "low"');
  for (const project of [wrong, { ...ONE, "test/add.test.js": made }]) {
    const stage = new RequestStage(project);
    const head = stage.change({ "src/add.js": `${ADD}process.exit(0);\n` });
    const report = await stage.judge(head, BODY);
    expect(report.checks[0]?.status).toBe("unproven");
    expect(report.checks[0]?.shows).toMatch(
      /test "below" of test\/add.test.js failed before the change|1 test ran before the change, and 0 after it/,
    );
    expect(verdicts(report)).toEqual(["tests unverified"]);
  }
});

test("a program that ends itself, and is started by its tests, holds as any other", async () => {
  const main = 'import { add } from "./add.js";\nconsole.log(add(1, 2));\nprocess.exit(0);\n';
  const spawned = [
    'import assert from "node:assert";',
    'import { execFileSync } from "node:child_process";',
    'import test from "node:test";',
    'test("prints", () => assert.equal(String(execFileSync("node", ["src/main.js"])), "3\\n"));',
    "",
  ].join("\n");
  const stage = new RequestStage({
    ...ONE,
    "src/main.js": main.replace("process.exit(0)", "process.exitCode = 0"),
    "test/main.test.js": spawned,
  });
  const report = await stage.judge(stage.change({ "src/main.js": main }), BODY);
  expect([report.checks[0]?.status, verdicts(report)]).toEqual(["pass", ["tests confirmed"]]);
});

test("tests that were renamed, moved, or taken out with what they tested are not missed", async () => {
  const stage = new RequestStage({
    ...PROJECT,
    "src/old.js": "export const old = () => 1;\n",
    "test/old.test.js":
      'import assert from "node:assert";\nimport test from "node:test";\nimport { old } from "../src/old.js";\ntest("old", () => assert.equal(old(), 1));\n',
  });
  const moved = tests({ "below zero": BELOW });
  const head = stage.change(
    {
      "test/add.test.js": PROJECT["test/add.test.js"].replace(/test\("below".*\n/, ""),
      "test/below.test.js": moved,
    },
    ["src/old.js", "test/old.test.js"],
  );
  const report = await stage.judge(head);
  // The tests of base fail where what they tested is gone; that is said, and nothing of missing ones.
  expect(report.checks[0]?.shows).toBe(
    "passes on base and on head; passes only with its own changed tests",
  );
});

test("how many pass is not confirmed by a sum that a test prints itself", async () => {
  const stage = new RequestStage();
  const prints = 'import test from "node:test";\ntest("more", () => console.log("pass 40"));\n';
  const head = stage.change({ "test/more.test.js": prints });
  const report = await stage.judge(head, "All 43 tests pass.");
  expect(report.checks[0]?.head.tests?.passed).toBe(43);
  expect(report.claims).toMatchObject([
    { verdict: "unverified", why: expect.stringContaining("more sums of tests than on base") },
  ]);
  // Where it is the program that prints one, nothing is shown at all.
  const source = `${ADD}console.log("pass 40");\n`;
  const program = await stage.judge(stage.change({ "src/add.js": source }), BODY);
  expect(program.checks[0]).toMatchObject({
    status: "unproven",
    shows: expect.stringContaining("1 sum of tests before the change, and 2 after it"),
  });
});

test("a program that changes what its tests demand with is not put back as one, and shows nothing", async () => {
  const stage = new RequestStage();
  const source = `import assert from "node:assert";\nassert.equal = () => {};\n${WRONG_ADD}`;
  const head = stage.change({ "src/add.js": source });
  const report = await stage.judge(head, "All tests pass. No tests were weakened.");
  expect([report.put_back, states(report)]).toEqual([[], ["pass", "pass", "same"]]);
  expect(report.checks[0]).toMatchObject({
    status: "unproven",
    shows: expect.stringContaining("assert was the test runner's own before, and is replaced in"),
  });
  expect(verdicts(report)).toEqual(["tests unverified", "tests refuted"]);
});
