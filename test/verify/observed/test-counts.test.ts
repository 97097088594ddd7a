import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testCounts, testRunnerOf } from "../../../src/verify/observed/index.ts";

const printed = (name: string) => readFileSync(new URL(`printed/${name}`, import.meta.url), "utf8");

/** What real runners printed about one test that passes, one that fails, and some that are left out. */
test.each([
  ["vitest.txt", "vitest", 1, 1, 2],
  ["vitest-tap.txt", "tap", 1, 1, 2],
  ["vitest-junit.xml", "junit", 1, 1, 2],
  ["jest.txt", "jest", 2, 1, 2],
  ["mocha.txt", "mocha", 1, 1, 2],
  ["mocha-tap.txt", "node:test", 1, 1, 0],
  ["mocha-xunit.xml", "junit", 1, 1, 2],
  ["node-spec.txt", "node:test", 1, 1, 2],
  ["node-tap.txt", "node:test", 1, 1, 2],
  ["pytest.txt", "pytest", 2, 1, 2],
  ["pytest-q.txt", "pytest", 2, 1, 2],
  ["pytest-junit.xml", "junit", 2, 1, 2],
  ["pytest-none.txt", "pytest", 0, 0, 0],
  ["unittest.txt", "unittest", 1, 1, 1],
  ["cargo.txt", "cargo", 1, 1, 1],
  ["go-v.txt", "go", 1, 1, 1],
])("%s is read", (name, form, passed, failed, skipped) => {
  expect(testCounts(printed(name))).toEqual({ form, unit: "test", passed, failed, skipped });
});

/** The last lines of what runners of other languages print. */
test.each([
  [
    "surefire",
    "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n",
    2,
    2,
    1,
  ],
  ["rspec", "Finished in 0.2 seconds\n5 examples, 1 failure, 1 pending\n", 3, 1, 1],
  ["minitest", "5 runs, 7 assertions, 1 failures, 1 errors, 1 skips\n", 2, 2, 1],
  ["exunit", "Finished in 0.1 seconds\n1 doctest, 4 tests, 1 failure, 1 skipped\n", 3, 1, 1],
  ["phpunit", "OK (5 tests, 12 assertions)\n", 5, 0, 0],
  ["phpunit", "Tests: 5, Assertions: 12, Failures: 1, Skipped: 1.\n", 3, 1, 1],
  [
    "dotnet",
    "Failed!  - Failed:     1, Passed:     3, Skipped:     1, Total:     5, Duration: 9 ms\n",
    3,
    1,
    1,
  ],
  ["ctest", "80% tests passed, 1 tests failed out of 5\n", 4, 1, 0],
  [
    "googletest",
    "[  PASSED  ] 3 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Add.Below\n",
    3,
    1,
    0,
  ],
  [
    "swift",
    "Executed 2 tests, with 0 failures (0 unexpected) in 0.1\n Executed 5 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.1\n",
    3,
    1,
    1,
  ],
  ["deno", "FAILED | 3 passed | 1 failed | 1 ignored (3ms)\n", 3, 1, 1],
  ["bun", " 3 pass\n 1 skip\n 1 fail\n", 3, 1, 1],
  ["playwright", "  1 failed\n    [chromium] a.spec.ts\n  1 skipped\n  3 passed (3.2s)\n", 3, 1, 1],
  ["nextest", "     Summary [   0.005s] 4 tests run: 3 passed, 1 failed, 1 skipped\n", 3, 1, 1],
  [
    "automake",
    "# TOTAL: 5\n# PASS:  3\n# SKIP:  1\n# XFAIL: 0\n# FAIL:  1\n# XPASS: 0\n# ERROR: 0\n",
    3,
    1,
    1,
  ],
  [
    "prove",
    "t/a.t .. \nFailed 1/2 subtests \nFiles=2, Tests=4,  0 wallclock secs\nResult: FAIL\n",
    3,
    1,
    0,
  ],
])("%s sums up in its own words", (form, text, passed, failed, skipped) => {
  expect(testCounts(text)).toEqual({ form, unit: "test", passed, failed, skipped });
});

test("without single tests, packages are counted and said to be packages", () => {
  expect(
    testCounts("ok  \tx/a\t0.003s\nok  \tx/b\t0.1s\n?   \tx/c\t[no test files]\n"),
  ).toMatchObject({
    unit: "package",
    passed: 2,
    failed: 0,
  });
  expect(testCounts("ok  \tx\t0.003s [no tests to run]\n")).toBe(undefined);
});

test("colours hide nothing, and what is no summary says nothing", () => {
  expect(
    testCounts("\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m9 passed\u001b[39m (9)"),
  ).toMatchObject({
    passed: 9,
  });
  for (const text of ["", "all tests pass", "Tests: fine", "5 passed", "Ran out of memory"]) {
    expect(testCounts(text), text).toBe(undefined);
  }
});

test("several summaries of one kind: the last counts, and parts are added up", () => {
  const watch = "      Tests  1 failed (1)\n      Tests  3 passed (3)\n";
  expect(testCounts(watch)).toMatchObject({ passed: 3, failed: 0 });
  const crates =
    "test result: ok. 2 passed; 0 failed; 0 ignored;\ntest result: ok. 3 passed; 0 failed; 1 ignored;\n";
  expect(testCounts(crates)).toMatchObject({ passed: 5, skipped: 1 });
});

test("what several runners counted one after the other is kept apart", () => {
  const both = "      Tests  1 failed | 2 passed (3)\n====== 4 passed in 0.1s ======\n";
  expect(testCounts(both)).toMatchObject({
    parts: [
      { passed: 2, failed: 1 },
      { passed: 4, failed: 0 },
    ],
  });
  const twice = "Ran 2 tests in 0.1s\n\nFAILED (failures=1)\nRan 3 tests in 0.1s\n\nOK\n";
  expect(testCounts(`${twice}# pass 5\n# fail 0\n`)?.parts).toEqual([
    { passed: 1, failed: 1 },
    { passed: 3, failed: 0 },
    { passed: 5, failed: 0 },
  ]);
  expect(testCounts(twice)).toMatchObject({ form: "unittest", passed: 3, failed: 0 });
});

test("whatever is printed, it answers, and in time that grows with the length", () => {
  const parts = fc.constantFrom(
    "ok 1",
    "<testsuite ",
    'tests="9"',
    "--- PASS: ",
    "\n",
    " ",
    "Tests  ",
    "1 passed",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 200 }), (words) => {
      const counts = testCounts(words.join(""));
      expect(counts === undefined || counts.passed >= 0).toBe(true);
    }),
  );
  for (const unit of ["<testsuite ", "ok 1 # ", "1 passed, ", "=".repeat(50)]) {
    testCounts(unit.repeat(200_000));
  }
});

test.each([
  [["npx", "vitest", "run"], "vitest"],
  [["/usr/bin/env", "CI=1", "npx", "--yes", "jest"], "jest"],
  [["node", "--test"], "node"],
  [["node", "node_modules/.bin/mocha"], "node"],
  [["/usr/bin/python3", "-m", "pytest", "-q"], "pytest"],
  [["timeout", "60s", "go", "test", "./..."], "go"],
  [["npm", "run", "test:unit"], "npm"],
  [["node", "--import", "tsx", "--test", "a.ts"], "node"],
  [["npm", "--prefix", "web", "test"], "npm"],
  [["yarn", "workspace", "web", "test"], "yarn"],
  [["pnpm", "-r", "test"], "pnpm"],
  [["cargo", "+nightly", "test"], "cargo"],
  [["make", "build", "test"], "make"],
  ...Object.entries({
    pytest:
      "uv run pytest -q; uv run -q --with x pytest; poetry run pytest; pipenv run pytest; conda run -n dev pytest; coverage run -m pytest; py -m pytest",
    rspec: "bundle exec rspec",
    vitest: "pnpm vitest run; pnpm exec vitest; yarn vitest; bunx vitest; npm exec vitest",
    "manage.py": "python3 manage.py test",
    artisan: "php artisan test",
    ...{ swift: "swift test", mix: "mix test", flutter: "flutter test", rails: "bin/rails test" },
    ...{ mvnw: "./mvnw -q verify", sbt: "sbt test", zig: "zig build test", rake: "rake spec" },
    ...{ nx: "nx run-many -t test", turbo: "turbo run test", bazel: "bazel test //..." },
    ...{ just: "just test", deno: "deno task test", pest: "vendor/bin/pest" },
  }).flatMap(([runner, commands]) =>
    commands.split("; ").map((one): [string[], string] => [one.split(" "), runner]),
  ),
  [["uv", "run", "app.py", "test"], undefined],
  [["uv", "pip", "install", "pytest"], undefined],
  [["bundle", "install"], undefined],
  [["python3", "manage.py", "migrate"], undefined],
  [["mix", "deps.get"], undefined],
  [["node", "-e", "0", "vitest"], undefined],
  [["npm", "install", "test"], undefined],
  [["make", "-n", "test"], undefined],
  [["echo", "vitest", "run"], undefined],
  [["cat", "npm", "test"], undefined],
  [["node", "server.js"], undefined],
  [["npm", "install"], undefined],
  [["sh", "-c", "npm test"], undefined],
])("%j is a test runner or not", (argv, runner) => {
  expect(testRunnerOf(argv)).toBe(runner);
});
