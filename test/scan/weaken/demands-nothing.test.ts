import { expect, test } from "vitest";
import { demandsNothing } from "../../../src/scan/weaken/index.ts";

const isNamed = () => true;

const javascript = (body: string, head = 'import { sum } from "../src/sum.js";') =>
  demandsNothing(
    "test/sum.test.js",
    `import assert from "node:assert";\nimport test from "node:test";\n${head}\ntest("sum", async () => { ${body} });\n`,
    isNamed,
  );

test.each([
  "assert.ok(sum);",
  "assert(sum);",
  'assert.equal(typeof sum, "function");',
  "assert.notEqual(sum, undefined);",
  "assert.ok(true);",
])("that there is something of a name holds for anything: %s", (body) => {
  expect(javascript(body)).toBe(true);
});

test("however it was imported", () => {
  expect(javascript("assert.ok(sum);", 'const { sum } = require("../src/sum.js");')).toBe(true);
  expect(javascript("assert.ok(sum);", 'const { sum } = await import("../src/sum.js");')).toBe(
    true,
  );
  expect(
    demandsNothing(
      "tests/test_sum.py",
      "from app import sum_of\n\ndef test_sum():\n    assert sum_of\n",
      isNamed,
    ),
  ).toBe(true);
});

test.each([
  "assert.ok(sum(1, 2));",
  "assert.equal(sum(1, 2), 3);",
  "const total = sum(1, 2); assert.ok(total);",
  "assert.ok(sum); assert.equal(sum(1, 2), 3);",
])("a result can be wrong: %s", (body) => {
  expect(javascript(body)).toBe(false);
});
