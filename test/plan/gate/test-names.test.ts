import { expect, test } from "vitest";
import { findTestNames } from "../../../src/plan/gate/test-names.ts";

const names = (text: string): string[] => findTestNames(text).map(({ name }) => name);

test.each([
  [
    "make test_rate_limit_blocks_11th_message_in_60s() pass",
    "test_rate_limit_blocks_11th_message_in_60s",
  ],
  ["`testRefusesEleventh()` is red", "testRefusesEleventh"],
  ["TestLimit_Refuses() fails first", "TestLimit_Refuses"],
  ["limit_test() fails first", "limit_test"],
  ["the failing test refuses_eleventh() is red", "refuses_eleventh"],
  ['the test "refuses the 11th message" is red', "refuses the 11th message"],
  ["the test named 'refuses the 11th message'", "refuses the 11th message"],
  ['it("refuses the 11th message")', "refuses the 11th message"],
])("finds the test in %s", (text, name) => {
  expect(names(text)).toEqual([name]);
});

test.each([
  "Implement parse() and allow(sender, now)",
  'The button says "test this limit"',
  'Click it "Save" and see',
  "run `npm test` before and after",
  "the test `tests/test_limit.py` exists",
  "latest() and contest() are functions",
  "",
])("finds no test in %s", (text) => {
  expect(names(text)).toEqual([]);
});

test("the file is taken where it stands behind the name, and only inside the project", () => {
  expect(findTestNames("test_x() in tests/test_x.py, test_y() in `test/y.test.ts`")).toEqual([
    { name: "test_x", file: "tests/test_x.py" },
    { name: "test_y", file: "test/y.test.ts" },
  ]);
  expect(findTestNames("test_x() in ../other/test_x.py")).toEqual([{ name: "test_x" }]);
});

test("a test that is named twice is one", () => {
  expect(findTestNames("test_x() is red. test_x() in a/b.py is green.")).toEqual([
    { name: "test_x", file: "a/b.py" },
  ]);
});
