import { expect, test } from "vitest";
import { isPartialRun } from "../../../src/verify/observed/test-scope.ts";

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
  "mvn test",
])("all tests: %s", (command) => {
  expect(isPartialRun(command.split(" "))).toBe(false);
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
])("a part of them, or nobody knows: %s", (command) => {
  expect(isPartialRun(command.split(" "))).toBe(true);
});
