import { expect, test } from "vitest";
import { jsonTests } from "../../../../src/run/proof/test/json-report.ts";
import { junitTests } from "../../../../src/run/proof/test/junit-report.ts";
import { printedTests } from "../../../../src/run/proof/test/printed-tests.ts";
import { isCalled, type SeenTest, tally } from "../../../../src/run/proof/test/seen-test.ts";
import { tapTests } from "../../../../src/run/proof/test/tap-report.ts";
import { commandFor, commandOf } from "../../../../src/run/proof/test/test-command.ts";

const shown = (tests: readonly SeenTest[] | undefined) =>
  tests?.map(({ path, state }) => `${state} ${path.join("|")}`);

test("what pytest writes is read, and what only looks like a test in it is not", () => {
  const report =
    '<?xml version="1.0"?><testsuites name="pytest tests"><testsuite name="pytest"><testcase classname="test_a" name="test_p[1]" time="0" />' +
    '<testcase classname="test_a.TestA" name="test_m"><failure message="&lt;no&gt;">x &gt; y</failure></testcase>' +
    '<testcase classname="test_a" name="test_s"><skipped type="pytest.skip">later</skipped></testcase>' +
    '<testcase classname="test_a" name="test_e"><error message="a > b"/><system-out><![CDATA[<testcase name="forged"/>]]></system-out></testcase>' +
    '<!-- <testcase name="forged"/> --></testsuite></testsuites>';
  expect(shown(junitTests(report))).toEqual([
    "passed pytest|test_a|test_p[1]",
    "failed pytest|test_a.TestA|test_m",
    "skipped pytest|test_a|test_s",
    "failed pytest|test_a|test_e",
  ]);
  expect(junitTests("no report")).toBe(undefined);
});

test("what mocha writes is read, with its own way to write marks", () => {
  const report =
    '<testsuite name="Mocha Tests">\n<testcase classname="add" name="adds &#x3C;two&#x3E; &#x26; &#x22;more&#x22;" time="0"/>\n<testcase classname="add" name="later"><skipped/></testcase>\n</testsuite>';
  const tests = junitTests(report) ?? [];
  expect(shown(tests)).toEqual([
    'passed Mocha Tests|add|adds <two> & "more"',
    "skipped Mocha Tests|add|later",
  ]);
  expect(tally(tests, 'add adds <two> & "more"')).toEqual({ state: "green", executed: 1 });
});

test("what vitest and jest write is read, and what did not run is skipped", () => {
  const one = (title: string, status: string) => ({ ancestorTitles: ["add"], title, status });
  const assertionResults = [one("a", "passed"), one("b", "failed"), one("c", "pending")];
  const report = JSON.stringify({ success: true, testResults: [{ name: "x", assertionResults }] });
  expect(shown(jsonTests(report))).toEqual(["passed add|a", "failed add|b", "skipped add|c"]);
  expect(jsonTests(report.slice(0, -1))).toBe(undefined);
});

test("what node writes is read: tests within others, escapes, and no test that a test printed", () => {
  const report = [
    "TAP version 13",
    "# ok 1 - forged",
    "# Subtest: add",
    "    # Subtest: adds \\#2",
    "    ok 1 - adds \\#2",
    "    ok 2 - later # SKIP",
    "    not ok 3 - some day # TODO",
    "not ok 1 - add",
    "ok 2 - top",
  ].join("\n");
  expect(shown(tapTests(report))).toEqual([
    "passed add|adds #2",
    "skipped add|later",
    "skipped add|some day",
    "failed add",
    "passed top",
  ]);
});

test("what other runners print is read by its names", () => {
  const text = [
    "test_a.py::TestA::test_m FAILED                    [ 50%]",
    "PASSED test_a.py::test_p[1]",
    "test_one (test_u.TestU.test_one)",
    "A docstring. ... ok",
    "test_two (test_u.TestU.test_two) ... FAIL",
    "--- PASS: TestAdd (0.00s)",
    "    --- FAIL: TestAdd/two (0.00s)",
    "test math::adds ... ok",
    "\u001b[32m ✓ test/a.test.ts > add > adds two 3ms\u001b[39m",
    "  ✖ fails (9.68ms)",
    "a line about something else ... okay",
  ].join("\n");
  expect(shown(printedTests(text))).toEqual([
    "failed test_a.py|TestA|test_m",
    "passed test_a.py|test_p[1]",
    "passed test_u|TestU|test_one",
    "failed test_u|TestU|test_two",
    "passed TestAdd",
    "failed TestAdd|two",
    "passed math|adds",
    "passed test/a.test.ts|add|adds two",
    "failed fails",
  ]);
});

test("a test goes by its title, with or without the groups before it, and by no part of it", () => {
  const one = { path: ["tests.test_a.TestA", "test_b[1-2]"], state: "passed" } as const;
  for (const name of ["test_b", "test_b()", "test_b[1-2]", "tests/test_a.py::TestA::test_b"]) {
    expect([name, isCalled(one, name)]).toEqual([name, true]);
  }
  for (const name of ["test", "b", "stA::test_b", "", "TestA", "test_b[1]"]) {
    expect([name, isCalled(one, name)]).toEqual([name, false]);
  }
  const nested = { path: ["math", "add", "adds two"], state: "passed" } as const;
  for (const name of ["adds two", "add > adds two", "math add adds two", "add › adds two"]) {
    expect([name, isCalled(nested, name)]).toEqual([name, true]);
  }
});

test("one failure among several of the same name is red, and only skipped ones have not run", () => {
  const named = (...states: SeenTest["state"][]) => states.map((state) => ({ path: ["a"], state }));
  expect(tally(named("passed", "failed"), "a")).toEqual({ state: "red", executed: 2 });
  expect(tally(named("passed", "skipped"), "a")).toEqual({ state: "green", executed: 1 });
  expect(tally(named("skipped"), "a")).toEqual({ state: "skipped", executed: 0 });
  expect(tally(named("passed"), "b")).toEqual({ state: "absent", executed: 0 });
});

test("a runner is asked for a report that a program can read, wherever it is started itself", () => {
  expect(commandFor("vitest", ["-a.test.ts"]).argv).toEqual([
    ...["node", "node_modules/vitest/vitest.mjs", "run", "./-a.test.ts", "--reporter=default"],
    ...["--reporter=json", "--outputFile.json=/workspace/output/tests.json"],
  ]);
  expect(commandOf(["npx", "jest", "a"]).argv).toContain("--json");
  expect(commandOf(["python3", "-m", "pytest", "a.py"]).report).toBe("tests.xml");
  expect(commandOf(["node", "--test", "a.mjs"]).argv.slice(0, 3)).toEqual([
    ...["node", "--test", "--test-reporter=spec"],
  ]);
  expect(commandOf(["npm", "test"])).toMatchObject({ argv: ["npm", "test"], report: undefined });
});

test("reports made to keep a reader busy are read in time that grows with their length", () => {
  const busy = ["<!--", "<![CDATA[", '<testcase name="', "<a ", "ok 1 - a # ", "✓ a 1 ", "PASSED "];
  for (const piece of busy) {
    const text = `<testsuite >${piece.repeat(200_000)}`;
    const began = performance.now();
    junitTests(text);
    printedTests(text.slice(0, 1_900).concat("\n").repeat(300));
    expect(performance.now() - began).toBeLessThan(3_000);
  }
});
