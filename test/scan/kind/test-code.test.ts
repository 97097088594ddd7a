import { expect, test } from "vitest";
import { isTestCode, isTestName, isUnreadTest } from "../../../src/scan/kind/index.ts";
import { security } from "../../../src/scan/security/index.ts";

test("tests and what they need are told by their names", () => {
  const tests = [
    "test/a.ts",
    "src/__tests__/a.js",
    "packages/x/e2e/run.ts",
    "src/a.test.ts",
    "src/a-spec.mjs",
    "app/test_views.py",
    "app/views_test.py",
    "conftest.py",
  ];
  const others = ["src/attest.ts", "latest/a.js", "src/testimony.py", "src/contest.py", "a.ts"];
  expect(tests.filter((path) => !isTestCode(path))).toEqual([]);
  expect(others.filter((path) => isTestCode(path))).toEqual([]);
});

test("tests of languages that nothing here reads are told by their names too", () => {
  const tests = [
    ...["calc_test.go", "pkg/calc_test.go", "src/tests.rs", "src/add_test.rs", "tests/add.rs"],
    ...["src/AddTest.java", "src/TestAdd.java", "AddTests.cs", "AddSpec.hs", "AddTest.php"],
    ...["add_spec.rb", "test_add.rb", "add_test.exs", "add_unittest.cc", "test_add.c"],
    ...["t/add.t", "t/0001-add.sh", "test/run.sh", "add.bats", "run-add.test.sh", "tests.sh"],
  ];
  const others = [
    ...["src/attest.rs", "src/contest.go", "Latest.java", "src/Testament.java", "t/readme.md"],
    ...[
      "src/protest.sh",
      "tests/expected.txt",
      "src/latest.c",
      "src/testdata.go",
      "src/fastest.rb",
    ],
  ];
  const isOne = (path: string) => isTestCode(path) && isUnreadTest(path);
  expect(tests.filter((path) => !isOne(path))).toEqual([]);
  expect(others.filter(isUnreadTest)).toEqual([]);
  expect(["test/a.ts", "test/a.py", "src/a.test.js"].filter(isUnreadTest)).toEqual([]);
});

test("the same weakness weighs less in a test, and is not passed over", () => {
  const handler =
    'const { exec } = require("child_process");\nexports.h = (req, res) => exec("ls " + req.query.dir);\n';
  const helper = 'const cp = require("child_process");\nexports.f = (a) => cp.exec("ls " + a);\n';
  const said = (path: string, text: string) =>
    security.review({ path, text }).map(({ priority }) => priority);
  expect([said("src/a.js", handler), said("test/a.js", handler)]).toEqual([["P1"], ["P2"]]);
  expect([said("src/a.js", helper), said("src/a.test.js", helper)]).toEqual([["P2"], ["P3"]]);
});

test("in any language a name says that a file is a test", () => {
  const tests = [
    ..."tools/test.sh selftest.py check_rotate.sh rotate_test.sh run-tests a.bats src/tests.rs".split(
      " ",
    ),
    ..."AddTest.java TestAdd.java add_spec.rb Add.Tests.ps1 test_add.c tests.py cart-tests.js".split(
      " ",
    ),
  ];
  const others = [
    ..."src/test-code.ts latest.sh contest.py attest.go tests.md test.txt Greatest.java".split(" "),
    ..."check.ts checker.sh".split(" "),
  ];
  expect(tests.filter((path) => !isTestName(path))).toEqual([]);
  expect(others.filter((path) => isTestName(path))).toEqual([]);
});
