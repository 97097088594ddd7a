import { expect, test } from "vitest";
import { judged, messages } from "./judging.ts";

const change = (before: string, after: string, path = "src/add.js") => [{ path, before, after }];
const LOST = ["weakened replaced 2"];

test.each([
  ['import assert from "node:assert";\nassert.equal = () => {};\n'],
  ['import a from "assert/strict";\na["equal"] = () => {};\n'],
  ['import * as chai from "chai";\nchai.Assertion.prototype.assert = () => {};\n'],
  ['const { expect } = require("@jest/globals");\nexpect.prototype.toBe = () => {};\n'],
  ['const test = (await import("node:test")).default;\nObject.assign(test, { it() {} });\n'],
  ['import { strict as assert } from "node:assert";\nReflect.set(assert, "equal", () => {});\n'],
  ['const load = createRequire(import.meta.url);\nload("node:assert").equal = () => {};\n'],
  ['const a = process.getBuiltinModule("node:assert");\na.equal = () => {};\n'],
])("code under test that changes what tests demand with takes something away: %s", (after) => {
  expect(judged(change("export const a = 1;\n", after))).toEqual(LOST);
});

test.each([
  ["import unittest\nunittest.TestCase.run = lambda self, result=None: None\n"],
  ["from unittest import TestCase\nsetattr(TestCase, 'assertEqual', print)\n"],
  ["import pytest\npytest.raises = print\n"],
])("so does code in Python: %s", (after) => {
  expect(judged(change("a = 1\n", after, "lib.py"))).toEqual(LOST);
});

test("it is said which word it is, and not again where it was so before", () => {
  const after = 'import assert from "node:assert";\nassert.equal = () => {};\n';
  expect(messages(change("", after))).toEqual([
    "assert was the test runner's own before, and is replaced in src/add.js now: what it demands stands elsewhere",
  ]);
  expect(judged(change(after, `${after}export const b = 1;\n`))).toEqual([]);
});

test.each([
  ['import assert from "node:assert";\nassert.equal(1, 1);\nexport const a = {};\na.equal = 2;\n'],
  ["export const test = {};\ntest.of = 1;\nexport const expect = {};\nexpect.more = 2;\n"],
  ['import assert from "./assert.js";\nexport const it = { assert };\nit.next = 1;\n'],
  ['const page = makePage("test");\npage.title = "assert";\n'],
  ['import { expect } from "chai";\nObject.assign(globalThis.options, { expect });\n'],
])("code that only uses such words, or has words of its own, takes nothing away: %s", (after) => {
  expect(judged(change("export const a = 1;\n", after))).toEqual([]);
});
