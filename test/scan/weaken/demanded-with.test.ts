import { expect, test } from "vitest";
import { demandedWith } from "../../../src/scan/weaken/index.ts";

test.each([
  ['import { equal } from "./assert.js";\ntest("a", () => equal(add(1), 2));\n', ["./assert.js"]],
  [
    'import * as check from "../c";\ntest("a", async () => { await check.equals(1, 2); });\n',
    ["../c"],
  ],
  ['const assert = require("./lib/a");\ntest("a", () => { assert.ok(x); });\n', ["./lib/a"]],
  ['import { expectUser } from "./u.ts";\ntest("a", () => { expectUser(x); });\n', ["./u.ts"]],
  [
    'import { add, equals } from "./add.js";\ntest("a", () => { add(1); if (equals(1, 2)) x(); });\n',
    [],
  ],
  ['import assert from "node:assert";\ntest("a", () => assert.equal(1, 2));\n', []],
])("what a test demands with is a call whose answer nobody asks for: %s", (text, expected) => {
  expect(demandedWith("test/a.test.ts", text)).toEqual(expected);
});

test("in Python it is a module by its name", () => {
  const text = "from lib.checks import assert_user\nimport lib.more as more\nimport unittest\n";
  const body = "def test_a():\n    assert_user(1)\n    more.equals(1, 2)\n    more.add(1)\n";
  expect(demandedWith("test_a.py", text + body)).toEqual(["lib.checks", "lib.more"]);
});
