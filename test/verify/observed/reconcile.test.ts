import { expect, test } from "vitest";
import { saidWork } from "../../../src/claim/index.ts";
import type { Observation, SeenProcess } from "../../../src/schema/observation.ts";
import { reconcile } from "../../../src/verify/observed/index.ts";

const PASSED = { form: "vitest", unit: "test", passed: 12, failed: 0, skipped: 0 } as const;
const ran = (more: Partial<SeenProcess> = {}): SeenProcess => ({
  by: "run",
  argv: ["npx", "vitest", "run"],
  cwd: "/workspace/tree",
  exit: 0,
  signal: null,
  wall_ms: 10,
  cpu_ms: null,
  peak_bytes: null,
  tree_before: "T",
  tree_after: "T",
  tests: PASSED,
  ...more,
});
const seen = (processes: SeenProcess[], more: Partial<Observation> = {}): Observation => ({
  tree: "T",
  changed: [{ path: "src/a.ts", how: "modified" }],
  ignored: ["dist/", ".env"],
  processes,
  is_complete: true,
  gaps: [],
  ...more,
});
const tests = (observation: Observation, count?: number) =>
  reconcile({ kind: "tests", count }, observation);

test("tests that were seen to pass on this very tree are confirmed", () => {
  expect(tests(seen([ran()]))).toMatchObject({ verdict: "CONFIRMED" });
  expect(tests(seen([ran()]), 12)).toMatchObject({ verdict: "CONFIRMED" });
  expect(tests(seen([ran()]), 50)).toMatchObject({ verdict: "INACCURATE" });
});

test("who ran a part of the tests knows nothing of all of them", () => {
  const part = ran({ argv: ["npx", "vitest", "run", "one.test.ts"] });
  const all = (observation: Observation) =>
    reconcile({ kind: "tests", count: undefined, isOfAll: true }, observation);
  expect(all(seen([part]))).toMatchObject({
    verdict: "UNVERIFIED",
    reason: expect.stringContaining("runs a part of the tests"),
  });
  expect(tests(seen([part]))).toMatchObject({ verdict: "CONFIRMED" });
  expect(all(seen([ran(), part]))).toMatchObject({ verdict: "CONFIRMED" });
  const red = ran({ by: "runtime", exit: 1, tests: { ...PASSED, failed: 1 } });
  expect(all(seen([part, red]))).toMatchObject({ verdict: "HALLUCINATED" });
  // How many of a part passed is not to be seen in all of them.
  expect(tests(seen([part, ran()]), 1)).toMatchObject({ verdict: "CONFIRMED" });
});

test("tests of one package are not all tests, and are told to be those of one", () => {
  const all = (run: SeenProcess, whole?: string[]) =>
    reconcile({ kind: "tests", count: undefined, isOfAll: true }, seen([run]), whole);
  const below = ran({ argv: ["npm", "test"], cwd: "/workspace/data/tree/packages/a" });
  expect(all(below)).toMatchObject({
    verdict: "UNVERIFIED",
    reason: "`npm test` in packages/a runs a part of the tests, and nothing shows all of them",
  });
  expect(all(ran({ argv: ["npm", "test", "-w", "a"] }))).toMatchObject({ verdict: "UNVERIFIED" });
  const django = ran({ argv: ["python3", "manage.py", "test"] });
  expect(all(django, ["python3", "manage.py", "test"])).toMatchObject({ verdict: "CONFIRMED" });
});

test("of several runners that a command starts, each counts, and one that failed is not hidden", () => {
  const parts = (...failed: number[]) => ({
    ...PASSED,
    parts: failed.map((one) => ({ passed: 12, failed: one })),
  });
  const run = (...failed: number[]) => seen([ran({ tests: parts(...failed) })]);
  expect(tests(run(0, 0), 24).verdict).toBe("CONFIRMED");
  expect(tests(run(0, 0), 12).verdict).toBe("CONFIRMED");
  expect(tests(run(0, 0), 13)).toMatchObject({ verdict: "INACCURATE" });
  expect(tests(run(3, 0))).toMatchObject({
    verdict: "UNVERIFIED",
    reason: expect.stringContaining("3 failed in one of its 2 runs"),
  });
});

test("a file that was there before was not created, and what was done in it is not said to be seen", () => {
  const file = (said: object) =>
    reconcile({ kind: "file", path: "src/a.ts", how: "added", ...said }, seen([]));
  expect(file({ isNew: true })).toMatchObject({ verdict: "INACCURATE" });
  expect(file({})).toMatchObject({ verdict: "CONFIRMED" });
  expect(file({ how: "modified", isPart: true }).reason).toContain("was not looked at");
});

test("all tests pass, and none was run: made up, where nothing could run unseen", () => {
  const lie = seen([ran({ argv: ["echo", "12 passed"] })]);
  expect(tests(lie)).toMatchObject({
    verdict: "HALLUCINATED",
    reason: expect.stringMatching(/no test was run/),
  });
  expect(tests({ ...lie, is_complete: false })).toMatchObject({ verdict: "UNVERIFIED" });
});

test("a program that may have run tests in its own way is no proof that none ran", () => {
  const only = (...argv: string[]) => tests(seen([ran({ argv, tests: null })]));
  for (const argv of [
    ["node", "test.js"],
    ["/workspace/data/tree/run-tests.sh"],
    ["python3", "tests/all.py"],
    ["python3", "manage.py", "test"],
    ["php", "artisan", "test"],
    ["mix", "test"],
    ["just", "unit-tests"],
    ["bazel", "test", "//..."],
    ["./gradlew", ":app:test"],
    ["./gradlew", "testDebugUnitTest"],
    ["ruby", "/usr/bin/bundle", "exec", "rspec"],
    ["python3", "-m", "coverage", "run", "-m", "pytest"],
  ]) {
    expect(only(...argv)).toMatchObject({
      verdict: "UNVERIFIED",
      reason: expect.stringContaining(argv.join(" ")),
    });
  }
  for (const argv of [
    ["/usr/bin/cat", "tests/a.test.ts"],
    ["sh", "-c", "echo all tests pass > test.log"],
    ["coder", "--prompt", "make the tests pass"],
    ["git", "add", "test"],
    ["node", "contest.js"],
    ["pip", "install", "pytest"],
    ["python3", "-m", "pip", "install", "pytest"],
    ["npm", "install", "test"],
    ["pytest", "--version"],
    ["python3", "-c", "print('tests')", "test"],
  ]) {
    expect(only(...argv), argv.join(" ")).toMatchObject({ verdict: "HALLUCINATED" });
  }
});

test.each([
  ["failed", { tests: { ...PASSED, failed: 1 }, exit: 1 }],
  ["failed with an exit code of 0", { tests: { ...PASSED, failed: 1 } }],
  ["ended badly with fine words", { exit: 2 }],
  ["was killed", { exit: null, signal: "SIGKILL" }],
  ["ran nothing", { tests: { ...PASSED, passed: 0 } }],
])("a test run that %s refutes it", (_, more) => {
  expect(tests(seen([ran(more)]))).toMatchObject({ verdict: "HALLUCINATED" });
  // An earlier good one does not help, a later one does.
  expect(tests(seen([ran(), ran(more)]))).toMatchObject({ verdict: "HALLUCINATED" });
  expect(tests(seen([ran(more), ran()]))).toMatchObject({ verdict: "CONFIRMED" });
});

test("tests of another tree say nothing about this one", () => {
  for (const more of [{ tree_after: "U" }, { tree_before: "S" }, { tree_before: null }]) {
    expect(tests(seen([ran(more)]))).toMatchObject({ verdict: "UNVERIFIED" });
  }
});

test("an exit code alone says not how many tests there were", () => {
  expect(tests(seen([ran({ tests: null })]))).toMatchObject({ verdict: "UNVERIFIED" });
});

test("files are held against the tree before and after", () => {
  const file = (path: string, how: "added" | "modified" | "deleted") =>
    reconcile({ kind: "file", path, how }, seen([], { is_complete: false })).verdict;
  expect(file("src/a.ts", "modified")).toBe("CONFIRMED");
  expect(file("a.ts", "added")).toBe("CONFIRMED");
  expect(file("src/b.ts", "added")).toBe("HALLUCINATED");
  expect(file("src/a.ts", "deleted")).toBe("HALLUCINATED");
});

test("a file that nobody looked at is not called made up", () => {
  const file = (path: string) => reconcile({ kind: "file", path, how: "added" }, seen([])).verdict;
  expect([file("dist/index.js"), file(".env")]).toEqual(["UNVERIFIED", "UNVERIFIED"]);
  expect(file("distant.js")).toBe("HALLUCINATED");
});

test("an end that nobody saw proves nothing, either way", () => {
  const unseen = { exit: null, signal: null };
  expect(tests(seen([ran(unseen)]))).toMatchObject({ verdict: "UNVERIFIED" });
  expect(reconcile({ kind: "command", command: "vitest run" }, seen([ran(unseen)]))).toEqual({
    verdict: "CONFIRMED",
    reason: "it was run, and nobody saw how it ended",
  });
});

test("commands are held against what was seen", () => {
  const command = (text: string) =>
    reconcile({ kind: "command", command: text }, seen([ran()])).verdict;
  expect(command("npx vitest run")).toBe("CONFIRMED");
  expect(command("vitest run")).toBe("CONFIRMED");
  expect(command("npm run lint")).toBe("HALLUCINATED");
});

test.each([
  ["All tests pass.", [{ kind: "tests", count: undefined }]],
  ["I ran the suite: 42 tests passed!", [{ kind: "tests", count: 42 }]],
  ["✅ 42/42 unit tests passing", [{ kind: "tests", count: 42 }]],
  ["The test suite is green.", [{ kind: "tests", count: undefined }]],
  ["I ran all the tests. Everything passes.", [{ kind: "tests", text: "Everything passes." }]],
  ["All green!", [{ kind: "tests", count: undefined }]],
  ["Ran the suite, and all of them passed.", [{ kind: "tests", count: undefined }]],
  ["The full suite passes locally", [{ kind: "tests", count: undefined }]],
  ["✅ All tests", [{ kind: "tests", count: undefined }]],
  ["- tests: ✅", [{ kind: "tests", count: undefined }]],
  [
    "Created `src/new.ts` and updated nothing else.",
    [
      { kind: "file", path: "src/new.ts", how: "added" },
      { kind: "check", check: "scope" },
    ],
  ],
  ["- Fixed the bug in `./lib/x.js`", [{ kind: "file", path: "lib/x.js", how: "modified" }]],
  ["I ran `npm test` to be sure.", [{ kind: "command", command: "npm test" }]],
])("%s is a report", (text, expected) => {
  expect(saidWork(text)).toMatchObject(expected);
});

test.each([
  "All tests should pass now.",
  "Make sure that the tests pass before merging.",
  "If the tests pass, merge it.",
  "The tests do not pass yet.",
  "2 tests fail, 40 pass.",
  "Everything passes through the parser.",
  "All passed arguments are checked.",
  "Everything should pass now.",
  "Not everything passes.",
  "✅ Added tests",
  "Do all tests pass?",
  "Tests will pass once the service is up.",
  "```\nAll tests pass.\n```",
  "Use `src/new.ts` as a start.",
])("%s is none", (text) => {
  expect(saidWork(text)).toEqual([]);
});

test("a command that was only printed, or told to do something else, was not run as said", () => {
  const command = (text: string, ...argv: string[]) =>
    reconcile({ kind: "command", command: text }, seen([ran({ argv })])).verdict;
  expect(command("npm test", "echo", "npm", "test")).toBe("HALLUCINATED");
  expect(command("npm test", "node", "-e", "0", "npm", "test")).toBe("HALLUCINATED");
  expect(command("npm test", "npm", "test", "--help")).toBe("INACCURATE");
  expect(command("", "echo", "")).toBe("HALLUCINATED");
  expect(command("npm test", "timeout", "60", "node", "/usr/bin/npm", "test")).toBe("CONFIRMED");
});

test("a program that is only called like a test runner behind its own words is none", () => {
  const says = "console.log('Tests  12 passed (12)')";
  for (const argv of [
    ["node", "-e", says, "vitest"],
    ["node", "print.js", "--test"],
    ["npm", "install", "test"],
    ["make", "-n", "test"],
  ]) {
    expect([argv, tests(seen([ran({ argv })])).verdict]).toEqual([argv, "HALLUCINATED"]);
  }
});

test("a few tests that pass do not answer all of them failing on the same tree", () => {
  const all = ran({ exit: 1, tests: { ...PASSED, failed: 3 } });
  const few = ran({ argv: ["npx", "vitest", "run", "one.test.ts"] });
  expect(tests(seen([all, few]))).toMatchObject({ verdict: "HALLUCINATED" });
  expect(tests(seen([all, few, ran()]))).toMatchObject({ verdict: "CONFIRMED" });
});

test.each([
  ["All 12 tests pass, 0 failed.", 12],
  ["All tests pass (12 passed, 0 failed).", 12],
  ["Tests: 12 passed, 0 failed.", 12],
  ["`npm test`: 12 passed.", 12],
  ["`npm test` reports 12 passing tests.", 12],
  ["Test results: 12 tests, 12 pass.", 12],
  ["I ran all tests and they pass: 12 of 12.", 12],
  ["All tests pass in 3 files.", undefined],
  ["12 tests passed without any failing.", 12],
  ["12 tests passed with no failed ones.", 12],
])("%s is a report, although it speaks of failing", (text, count) => {
  expect(saidWork(text)).toMatchObject([{ kind: "tests", count }]);
});

test.each([
  ["in its tree", ["/workspace/data/tree/bin/npm", "test"]],
  ["given to a shell", ["/usr/bin/dash", "bin/npm", "test"]],
  ["beside its tree", ["/tmp/npm", "test"]],
  ["in its home", ["/workspace/data/home/npm", "test"]],
])("a program of the run's own under a known name is not that program: %s", (_, argv) => {
  const changed = [{ path: "bin/npm", how: "added" as const }];
  const own = ran({ argv, cwd: "/workspace/data/tree", tests: null });
  const said = { kind: "command", command: "npm test" } as const;
  expect(reconcile(said, seen([own], { changed }))).toMatchObject({
    verdict: "UNVERIFIED",
    reason: expect.stringContaining("made itself"),
  });
  const real = ran({ argv: ["/usr/bin/npm", "test"], tests: null });
  expect(reconcile(said, seen([real, own], { changed }))).toMatchObject({ verdict: "CONFIRMED" });
  const named = { kind: "command", command: `${argv.at(-2)} test` } as const;
  expect(reconcile(named, seen([own], { changed })).verdict).toBe("CONFIRMED");
});

test("a file that is said to be new and is not in the change is not said to be there", () => {
  const why = (how: "added" | "modified" | "deleted") =>
    reconcile({ kind: "file", path: "src/b.ts", how }, seen([])).reason;
  expect(why("added")).toContain("there is no such file, or it is as it was before");
  expect(why("deleted")).toContain("it is as it was before, or there was no such file");
  expect(why("modified")).toBe("src/b.ts is as it was before");
});

test("a command that is said to have passed is held to how it ended, on this very tree", () => {
  const passed = (...processes: SeenProcess[]) =>
    reconcile({ kind: "command", command: "npm run lint", isPassed: true }, seen(processes));
  const lint = (more: Partial<SeenProcess> = {}) =>
    ran({ argv: ["npm", "run", "lint"], tests: null, ...more });
  expect(passed(lint())).toEqual({ verdict: "CONFIRMED", reason: "it was run, and ended with 0" });
  expect(passed(lint({ exit: 1 })).verdict).toBe("HALLUCINATED");
  expect(passed(lint({ exit: 1 }), lint()).verdict).toBe("CONFIRMED");
  expect(passed(lint(), lint({ exit: 1 })).verdict).toBe("HALLUCINATED");
  expect(passed(lint({ exit: null })).verdict).toBe("UNVERIFIED");
  for (const exit of [0, 1]) {
    const other = passed(lint({ exit, tree_before: "S" }));
    expect(other.verdict).toBe("UNVERIFIED");
    expect(other.reason).toContain("may have been changed after it");
  }
  expect(passed(ran()).verdict).toBe("HALLUCINATED");
});

test("tests alone do not show that all checks pass, and failing ones show that they do not", () => {
  const checks = (...processes: SeenProcess[]) =>
    reconcile({ kind: "tests", count: undefined, isOfAll: true, isOfChecks: true }, seen(processes))
      .verdict;
  expect(checks(ran())).toBe("UNVERIFIED");
  expect(checks(ran({ argv: ["npm", "run", "lint"] }))).toBe("UNVERIFIED");
  expect(checks(ran({ exit: 1 }))).toBe("HALLUCINATED");
});

test("a program that is told to test may have run tests that are not known here", () => {
  const told = (...argv: string[]) => tests(seen([ran({ argv, tests: null })]));
  expect(told("earthly", "test")).toMatchObject({ verdict: "UNVERIFIED" });
  expect(told("mix", "test")).toMatchObject({ verdict: "UNVERIFIED" });
  expect(told("mkdir", "test")).toMatchObject({ verdict: "HALLUCINATED" });
  expect(told("git", "commit", "-m", "test")).toMatchObject({ verdict: "HALLUCINATED" });
});

test("a build or a linter that was seen to fail last refutes that it went well, and nothing confirms it", () => {
  const check = (name: string, ...processes: SeenProcess[]) =>
    reconcile({ kind: "check", check: name }, seen(processes));
  const build = (exit: number, more: Partial<SeenProcess> = {}) =>
    ran({ argv: ["npm", "run", "build"], exit, tests: null, ...more });
  expect(check("build", build(0), build(2))).toEqual({
    verdict: "HALLUCINATED",
    reason: "`npm run build` ended with 2",
  });
  expect(check("build", build(2), build(0))).toMatchObject({ verdict: "UNVERIFIED" });
  expect(check("build", build(2, { tree_after: "U" }))).toMatchObject({ verdict: "UNVERIFIED" });
  const lint = (...argv: string[]) => check("linter", ran({ argv, exit: 1, tests: null })).verdict;
  expect(lint("npx", "eslint", ".")).toBe("HALLUCINATED");
  expect(lint("grep", "-r", "eslint", "src")).toBe("UNVERIFIED");
  expect(check("scope").reason).toBe("what was changed is src/a.ts");
});
