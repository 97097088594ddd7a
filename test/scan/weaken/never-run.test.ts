import { expect, test } from "vitest";
import { judged } from "./judging.ts";

const LINES = [
  'import assert from "node:assert";',
  'import test from "node:test";',
  'import { add } from "../src/add.js";',
  'test("adds", () => {',
  "  assert.equal(add(1, 2), 3);",
  "});",
  "",
];
const JAVASCRIPT = LINES.join("\n");
const within = (body: string) => JAVASCRIPT.replace("  assert.equal(add(1, 2), 3);", `  ${body}`);
const DEMAND = "assert.equal(add(1, 2), 3)";

const isWeakened = (before: string, after: string, path: string) =>
  judged([{ path, before, after }]).some((one) => one.startsWith("weakened"));

test.each([
  [within(`for (const one of []) ${DEMAND};`)],
  [within(`while (false) ${DEMAND};`)],
  [within(`[].forEach(() => ${DEMAND});`)],
  [within(`const check = () => ${DEMAND};`)],
  [within(`function check() { ${DEMAND}; }`)],
  [within(`(async () => { ${DEMAND}; })();`)],
  [within(`setTimeout(() => ${DEMAND}, 1e9);`)],
  [JAVASCRIPT.replace("() => {", "function* () {")],
  [JAVASCRIPT.replace('test("adds"', 'test.each([])("adds"')],
])("a demand that is not reached, or when nobody listens any more, is lost: %s", (after) => {
  expect(isWeakened(JAVASCRIPT, after, "test/add.test.js")).toBe(true);
});

test.each([
  [within(`for (const one of [1, 2]) ${DEMAND};`)],
  [within(`[1].forEach(() => ${DEMAND});`)],
  [within(`const check = () => ${DEMAND};\n  check();`)],
  [within(`function check() { ${DEMAND}; }\n  [1].forEach(check);`)],
  [within(`await (async () => { ${DEMAND}; })();`)],
  [within(`(() => { ${DEMAND}; })();`)],
  [within(`runs("step", () => ${DEMAND});`)],
])("one that is reached in another way is as good as before: %s", (after) => {
  expect(isWeakened(JAVASCRIPT, after, "test/add.test.js")).toBe(false);
});

const PYTHON = `import unittest
import pytest
from add import add


class T(unittest.TestCase):
    def test_a(self):
        self.assertEqual(add(1, 2), 3)


def test_b():
    assert add(1, 2) == 3
`;
const put = (old: string, now: string) => PYTHON.replace(old, now);

test.each([
  [`${PYTHON}\n\ndef test_b():\n    pass\n`],
  [`${PYTHON}\n\ndef load_tests(a, b, c):\n    return unittest.TestSuite()\n`],
  [put("    def test_a", "    def setUp(self):\n        self.skipTest('x')\n\n    def test_a")],
  [
    put(
      "\n\ndef test_b",
      "\n\n@pytest.fixture(autouse=True)\ndef all():\n    pytest.skip('x')\n\n\ndef test_b",
    ),
  ],
  [put("def test_b():", "@pytest.mark.parametrize('x', [])\ndef test_b(x):")],
  [put("    assert add(1, 2) == 3", "    assert add(1, 2) == 3\n    yield")],
  [put("    assert add", "    for one in []:\n        assert add")],
  [put("    assert add", "    def check():\n        assert add")],
])("so it is in Python: %s", (after) => {
  expect(isWeakened(PYTHON, after, "test_add.py")).toBe(true);
});

test.each([
  [put("    def test_a", "    def setUp(self):\n        self.all = []\n\n    def test_a")],
  [put("\n\ndef test_b", "\n\n@pytest.fixture\ndef all():\n    yield 1\n\n\ndef test_b")],
  [put("def test_b():", "@pytest.mark.parametrize('x', [1])\ndef test_b(x):")],
  [
    put(
      "    assert add(1, 2) == 3",
      "    def check():\n        assert add(1, 2) == 3\n    check()",
    ),
  ],
  [
    `${PYTHON}\n\nclass U(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(add(1, 1))\n`,
  ],
])("and what is run is as good as before: %s", (after) => {
  expect(isWeakened(PYTHON, after, "test_add.py")).toBe(false);
});
