import { expect, test } from "vitest";
import { untouchedTests } from "../../src/claim/index.ts";

test.each([
  ["No tests were changed.", "change"],
  ["No test files were modified", "change"],
  ["- No existing unit tests changed.", "change"],
  ["No changes to the tests.", "change"],
  ["All existing tests are unchanged.", "change"],
  ["The tests were not modified.", "change"],
  ["I did not touch any tests.", "touch"],
  ["I didn't change the test suite.", "change"],
  ["The bug is fixed without changing any tests.", "change"],
  ["Tests are untouched.", "touch"],
  ["No tests were added.", "touch"],
  ["No tests were removed.", "loss"],
  ["I did not delete any tests.", "loss"],
  ["No tests were removed or changed.", "change"],
])("%s", (text, denied) => {
  expect(untouchedTests(text)).toEqual([{ text, denied }]);
});

test.each([
  "Tests were changed.",
  "No tests fail.",
  "Please do not change any tests.",
  "Were no tests changed?",
  "The tests should remain unchanged.",
  "No tests were changed in this sentence of a plan if it works.",
  "There are no tests. The parser was changed.",
  "```\nNo tests were changed.\n```",
])("is no such word: %s", (text) => {
  expect(untouchedTests(text)).toEqual([]);
});

test.each([
  ["Tests unchanged.", "change"],
  ["- **Tests**: unchanged", "change"],
  ["All existing tests unchanged", "change"],
  ["The tests have not been altered.", "change"],
  ["The tests\nhaven't been changed.", "change"],
  ["The tests weren't modified.", "change"],
  ["I left the existing tests alone.", "change"],
  ["Kept all tests as they were.", "touch"],
  ["All existing tests continue to pass without modification.", "change"],
  ["The existing tests still pass without any changes", "change"],
  ["All unit tests pass without being modified.", "change"],
  ["All the tests that were there before are still there.", "loss"],
])("tests that are left alone: %s", (text, denied) => {
  expect(untouchedTests(text)).toEqual([{ text: text.replace("\n", " "), denied }]);
});

test.each([
  "`test/add.test.js` is untouched.",
  "- `./test/add.test.js`: unchanged",
  "`test/add.test.js` was not changed.",
  "The file `test/add.test.js` remains as it was.",
  "I didn't touch `test/add.test.js`.",
  "I have not modified the file `./test/add.test.js`, and all is well.",
  "Fixed without changing `test/add.test.js`.",
])("one file of tests: %s", (text) => {
  expect(untouchedTests(text)).toEqual([{ text, denied: "touch", path: "test/add.test.js" }]);
});

test.each([
  "Keep the tests unchanged.",
  "Leave the tests as they are.",
  "The tests unchanged by this are slow.",
  "Tests unchanged since 2020 are slow.",
  "Tests unchanged, except for one.",
  "No tests were changed other than `test/a.test.js`.",
  "- [ ] Tests unchanged",
  "Make sure that:\n- No tests were changed",
  "`test/add.test.js` is unchanged except for a comment.",
  "`test/add.test.js` is not run.",
  "`src/add.js` is untouched.",
  "All tests pass without changes to the API.",
  "The tests run without modifications of the database.",
  "I did not touch `test/add.test.js` alone.",
  "The parser did not change `test/add.test.js` in a way that matters.",
  "`test` is unchanged.",
])("tests are not said to be as they were: %s", (text) => {
  expect(untouchedTests(text)).toEqual([]);
});

test.each([
  ["Die bestehenden Tests habe ich nicht angefasst.", "change"],
  ["Es wurden keine Testdateien verändert.", "change"],
  ["Kein Test wurde übersprungen.", "weakening"],
  ["Je n'ai modifié aucun test.", "change"],
  ["No he tocado las pruebas.", "change"],
  ["没有修改任何测试。", "change"],
  ["没有删除任何测试。", "loss"],
  ["テストは変更していません。", "change"],
])("is said in other languages, too: %s", (text, denied) => {
  expect(untouchedTests(text)).toMatchObject([{ denied }]);
});

test.each([
  "Falls keine Tests geändert wurden, ist es gut.",
  "Ich habe die Tests nicht ausgeführt.",
  "Je n'ai pas lancé les tests.",
  "No he ejecutado las pruebas.",
  "没有运行测试。",
  "テストは実行していません。",
])("and is not by %s", (text) => {
  expect(untouchedTests(text)).toEqual([]);
});
