import { describe } from "vitest";
import { type Case, check as checkFile } from "./judging.ts";

const check = (cases: readonly Case[]) => checkFile(cases, "tests/test_sum.py");
/** A test with a body; it begins in line 1, its body in line 2. */
const body = (...lines: string[]) =>
  `def test_adds(self):\n${lines.map((line) => `    ${line}\n`).join("")}`;
const LOOSE = "weakened loosened 2";
const pair = (name: string, before: string, after: string, ...found: string[]): Case => [
  name,
  body(before),
  body(after),
  ...found,
];

describe("an assertion that demands less", () => {
  check([
    pair("equality becomes truth", "assert f(2) == 4", "assert f(2)", LOOSE),
    pair("equality becomes membership", 'assert f(2) == "ab"', 'assert "a" in f(2)', LOOSE),
    pair("equality becomes a bound", "assert f(2) == 4", "assert f(2) >= 0", LOOSE),
    pair("equality becomes existence", "assert f(2) == 4", "assert f(2) is not None", LOOSE),
    pair("equality becomes a type", "assert f(2) == 4", "assert isinstance(f(2), int)", LOOSE),
    pair(
      "another value has the name",
      "n = 4\n    assert f(2) == n",
      "n = 5\n    assert f(2) == n",
      "weakened loosened 3",
    ),
    pair("another value is expected", "assert f(2) == 4", "assert f(2) == 5", LOOSE),
    pair("a not is put in", "assert f(2) in ok", "assert f(2) not in ok", LOOSE),
    pair("an or true", "assert f(2) == 4", "assert f(2) == 4 or True", "weakened emptied 1"),
    pair(
      "a tuple is always true",
      'assert f(2) == 4, "no"',
      'assert (f(2) == 4, "no")',
      "weakened emptied 1",
    ),
    pair("true is true", "assert f(2) == 4", "assert True", "weakened emptied 1"),
    pair("half of an and", "assert a == 1 and b == 2", "assert a == 1", "weakened removed 1"),
    pair(
      "unittest's equality becomes truth",
      "self.assertEqual(f(2), 4)",
      "self.assertTrue(f(2))",
      LOOSE,
    ),
    pair(
      "unittest's equality becomes existence",
      "self.assertEqual(f(2), 4)",
      "self.assertIsNotNone(f(2))",
      LOOSE,
    ),
    pair(
      "unittest's places",
      "self.assertAlmostEqual(x, 0.3, places=7)",
      "self.assertAlmostEqual(x, 0.3, places=1)",
      LOOSE,
    ),
    pair(
      "a tolerance",
      "assert x == pytest.approx(0.3, abs=0.01)",
      "assert x == pytest.approx(0.3, abs=1)",
      LOOSE,
    ),
    pair(
      "a tolerance where there was none",
      "assert x == 0.3",
      "assert x == pytest.approx(0.3)",
      LOOSE,
    ),
    pair(
      "any exception",
      "with pytest.raises(ValueError):\n        f()",
      "with pytest.raises(Exception):\n        f()",
      LOOSE,
    ),
    pair(
      "more exceptions",
      "with pytest.raises(ValueError):\n        f()",
      "with pytest.raises((ValueError, KeyError)):\n        f()",
      LOOSE,
    ),
    pair(
      "any message",
      'with pytest.raises(ValueError, match="no"):\n        f()',
      "with pytest.raises(ValueError):\n        f()",
      LOOSE,
    ),
    pair(
      "unittest's exceptions",
      "self.assertRaises(ValueError, f, 1)",
      "self.assertRaises(Exception, f, 1)",
      LOOSE,
    ),
    pair(
      "calls of a double",
      "mock.save.assert_called_once_with(1)",
      "mock.save.assert_called()",
      LOOSE,
    ),
  ]);
});

describe("an assertion that is no longer reached or heard", () => {
  const IS = "assert f(2) == 4";
  check([
    pair(
      "in a try that swallows",
      IS,
      `try:\n        ${IS}\n    except Exception:\n        pass`,
      "weakened loosened 3",
    ),
    pair(
      "in a try that swallows all",
      IS,
      `try:\n        ${IS}\n    except:\n        pass`,
      "weakened loosened 3",
    ),
    pair(
      "in a suppress",
      IS,
      `with suppress(AssertionError):\n        ${IS}`,
      "weakened loosened 3",
    ),
    pair("on a condition", IS, `if ready:\n        ${IS}`, "weakened loosened 3"),
    pair(
      "after a condition that leaves",
      IS,
      `if not ready:\n        return\n    ${IS}`,
      "weakened loosened 4",
    ),
    pair("after a return", IS, `return\n    ${IS}`, "weakened unreachable 3"),
    pair("in an if that is never taken", IS, `if False:\n        ${IS}`, "weakened unreachable 3"),
    pair("taken out", `${IS}\n    assert f(3) == 9`, IS, "weakened removed 1"),
    pair("all taken out", IS, "pass", "weakened emptied 1"),
  ]);
});

describe("no alarm for", () => {
  const IS = "assert f(2) == 4";
  check([
    pair("an assertion more", IS, `${IS}\n    assert f(3) == 9`),
    pair("a stronger assertion", "assert f(2)", IS),
    pair(
      "a narrower exception",
      "with pytest.raises(Exception):\n        f()",
      "with pytest.raises(ValueError):\n        f()",
    ),
    pair(
      "a message that is looked at",
      "with pytest.raises(ValueError):\n        f()",
      'with pytest.raises(ValueError, match="no"):\n        f()',
    ),
    pair("unittest in other words", "self.assertEqual(f(2), 4)", IS),
    pair("a message", IS, 'assert f(2) == 4, "four"'),
    pair(
      "a try that expects another error",
      IS,
      `try:\n        ${IS}\n    except KeyError:\n        pass`,
    ),
    pair("other spaces", "assert f( 2 )==4", IS),
    ["a new test", body(IS), `${body(IS)}\ndef test_more():\n    assert f(3) == 9\n`],
    ["another name", body(IS), body(IS).replace("test_adds", "test_adds_numbers")],
    [
      "tests that another class inherits now",
      "class SumTest(TestCase):\n    def test_adds(self):\n        self.assertEqual(f(2), 4)\n",
      "class Cases:\n    def test_adds(self):\n        self.assertEqual(f(2), 4)\n\nclass SumTest(Cases, TestCase):\n    pass\n",
    ],
    ["a class around it", body(IS), `class TestSum:\n    def test_adds(self):\n        ${IS}\n`],
  ]);
});

describe("a test that no longer runs", () => {
  const T = body("assert f(2) == 4");
  const both = `${T}\ndef test_two():\n    assert f(3) == 9\n`;
  const inClass = (name: string) =>
    `class ${name}:\n    def test_adds(self):\n        assert f(2) == 4\n`;
  const SKIPPED = "weakened skipped 1";
  check([
    ["pytest's skip", T, `@pytest.mark.skip(reason="flaky")\n${T}`, SKIPPED],
    ["pytest's skip without a reason", T, `@pytest.mark.skip\n${T}`, SKIPPED],
    ["pytest's skipif", T, `@pytest.mark.skipif(True, reason="x")\n${T}`, SKIPPED],
    ["pytest's xfail", T, `@pytest.mark.xfail\n${T}`, SKIPPED],
    ["unittest's skip", T, `@unittest.skip("x")\n${T}`, SKIPPED],
    ["unittest's expected failure", T, `@unittest.expectedFailure\n${T}`, SKIPPED],
    ["a mark for the module", T, `pytestmark = pytest.mark.skip\n${T}`, SKIPPED],
    ["a call for the module", T, `pytest.skip("x", allow_module_level=True)\n${T}`, SKIPPED],
    [
      "a mark at the class",
      inClass("TestSum"),
      `@pytest.mark.skip\n${inClass("TestSum")}`,
      SKIPPED,
    ],
    ["a call inside", T, T.replace("assert", 'pytest.skip("x")\n    assert'), "weakened skipped 2"],
    [
      "a call of unittest inside",
      T,
      T.replace("assert", 'self.skipTest("x")\n    assert'),
      "weakened skipped 2",
    ],
    ["it is gone", both, T, "weakened removed 4"],
    [
      "the process ends before it",
      both,
      both.replace("def test_two", "sys.exit(0)\ndef test_two"),
      "weakened removed 4",
    ],
    ["its name hides it", both, both.replace("test_two", "_test_two"), "weakened renamed-away 4"],
    [
      "its name is no test's",
      both,
      both.replace("def test_two", "def two_of_them"),
      "weakened renamed-away 4",
    ],
    ["its class is no test's", inClass("TestSum"), inClass("Sum"), "weakened renamed-away 2"],
    [
      "its class says so",
      inClass("TestSum"),
      inClass("TestSum").replace(":\n", ":\n    __test__ = False\n"),
      "weakened renamed-away 3",
    ],
    ["more reruns", T, `@pytest.mark.flaky(reruns=5)\n${T}`, "note loosened 2"],
  ]);
});

describe("an assertion of unittest that means something else now", () => {
  const T =
    "class SumTest(TestCase):\n    def test_adds(self):\n        self.assertEqual(f(2), 4)\n";
  check([
    [
      "a method of the class",
      T,
      `${T}    def assertEqual(self, *a):\n        pass\n`,
      "weakened loosened 4",
    ],
    ["for all classes", T, `TestCase.assertEqual = print\n${T}`, "weakened loosened 1"],
    [
      "one of their own",
      T,
      `${T}    def assertEven(self, a):\n        self.assertEqual(a % 2, 0)\n`,
    ],
  ]);
});

describe("a table", () => {
  const table = (...rows: string[]) =>
    `@pytest.mark.parametrize("a,b", [${rows.join(", ")}])\ndef test_all(a, b):\n    assert f(a) == b\n`;
  check([
    ["loses a case", table("(1, 1)", "(2, 4)"), table("(1, 1)"), "weakened removed 2"],
    ["gets one more", table("(1, 1)"), table("(1, 1)", "(2, 4)")],
    [
      "takes the place of tests",
      "def test_one():\n    assert f(1) == 1\n\ndef test_two():\n    assert f(2) == 4\n",
      table("(1, 1)", "(2, 4)"),
      "note removed 1",
      "note removed 4",
    ],
  ]);
});
