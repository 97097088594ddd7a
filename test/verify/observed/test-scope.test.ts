import { expect, test } from "vitest";
import { isPartialRun, isTestRun } from "../../../src/verify/observed/test-scope.ts";

test.each([
  "npm test",
  "/usr/bin/npm test",
  "npm run test --silent",
  "npx vitest run",
  "npx vitest --run --reporter dot",
  "vitest run --coverage",
  "npx jest --ci --reporters default",
  "node --test",
  "node --test tests/",
  "pytest",
  "python3 -m pytest -q tests",
  "python3 -m unittest discover -s tests",
  "go test ./...",
  "cargo test",
  "make test",
  "mvn -q test",
  "npm test --workspaces",
  "cargo +nightly test --workspace",
  "npx jest -w 2",
])("all tests: %s", (command) => {
  expect(isPartialRun(command.split(" "), "")).toBe(false);
});

test.each([
  "node --test test/format.test.js",
  "node --test --test-name-pattern=euros",
  "node --test --test-only",
  "npm test -- -t euros",
  "npm test -- test/format.test.js",
  "npm run test:unit",
  "npx vitest run one.test.ts",
  "npx vitest run -t sum",
  "npx vitest format",
  "npx jest --onlyChanged",
  "jest src/a.test.js",
  "pytest tests/test_a.py::test_b",
  "pytest -k sum",
  "python3 -m unittest tests.test_a",
  "go test",
  "go test ./pkg",
  "go test -run Sum ./...",
  "cargo test sum",
  "cargo test --lib",
  "mvn -Dtest=A test",
  "mocha --grep sum",
  "echo npm test",
  "npm test -w packages/a",
  "npm --prefix packages/a test",
  "pnpm --filter=a test",
  "yarn workspace a test",
  "make -C packages/a test",
  "make -Cpackages/a test",
  "go -C a test ./...",
  "mvn -pl a test",
])("a part of them, or nobody knows: %s", (command) => {
  expect(isPartialRun(command.split(" "), "")).toBe(true);
});

test("what runs in one folder of a project is a part of it, unless nobody knows where it ran", () => {
  const npm = ["npm", "test"];
  expect(isPartialRun(npm, "/workspace/data/tree/packages/a")).toBe(true);
  expect(isPartialRun(npm, "/workspace/data/tree")).toBe(false);
});

test("what a project says runs all tests does so, whatever it is called", () => {
  const whole = ["npm", "run", "test:ci"];
  expect(isPartialRun(["/usr/bin/npm", "run", "test:ci"], "", whole)).toBe(false);
  expect(isPartialRun(["npm", "run", "test:ci", "x"], "", whole)).toBe(true);
  expect(isPartialRun(whole, "/workspace/data/tree/a", whole)).toBe(true);
  const own = ["python3", "tools/all.py", "everything"];
  expect(isTestRun(["/usr/bin/python3", "tools/all.py", "everything"], own)).toBe(true);
  expect(isTestRun(own)).toBe(false);
});

test.each([
  "pytest --version",
  "python3 -m pytest --collect-only",
  "npx jest --listTests",
  "cargo test --no-run",
  "npx playwright install",
  "npm test --help",
  "make -n test",
])("it runs no test: %s", (command) => {
  expect(isTestRun(command.split(" "))).toBe(false);
});

test("settings of one runner are not taken for those of another", () => {
  for (const command of ["mvn -q test", "./gradlew -q test", "npx playwright test", "cargo t"]) {
    expect(isTestRun(command.split(" ")), command).toBe(true);
  }
});
