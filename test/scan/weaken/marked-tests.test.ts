import { expect, test } from "vitest";
import { judged, messages } from "./judging.ts";

/** A file of two tests in each language that is counted by its marks, and what makes one of them go or rest. */
const FILES = [
  ["calc_test.go", "func TestA(t *testing.T) {\n}\nfunc TestB(t *testing.T) {\n}\n", 2, "t.Skip()"],
  [
    "src/lib.rs",
    "#[test]\nfn a() {}\n#[tokio::test]\n#[should_panic]\nasync fn b() {}\n",
    3,
    "#[ignore]",
  ],
  ["src/add.zig", 'test "a" {}\ntest "b" {}\n', 1, "return error.SkipZigTest;"],
  ["AddTest.java", "@Test\nvoid a() {}\n@Test\n@Tag\npublic void b() {}\n", 3, "@Disabled"],
  ["AddTests.cs", "[Fact]\npublic void A() {}\n[Fact]\npublic void B() {}\n", 2, "[Ignore]"],
  ["add_spec.rb", 'it "a" do\nend\nit "b" do\nend\n', 2, "skip"],
  [
    "AddTest.php",
    "function testA() {}\npublic function testB() {}\n",
    1,
    "$this->markTestSkipped();",
  ],
  ["add_test.exs", 'test "a" do\nend\ntest "b" do\nend\n', 2, "@tag :skip"],
  ["add_test.dart", "test('a', () {\n});\ntest('b', () {\n});\n", 2, "skip: true,"],
  ["AddTests.swift", "func testA() {}\nfunc testB() {}\n", 1, "throw XCTSkip()"],
  ["add_test.cc", "TEST(Add, A) {\n}\nTEST(Add, B) {\n}\n", 2, "GTEST_SKIP();"],
  ["add.bats", '@test "a" {\n}\n@test "b" {\n}\n', 2, "skip"],
] as const;

test.each(FILES)("%s: a test that is gone, or rests, is found without a parser", (...file) => {
  const [path, before, lines, skip] = file;
  const first = before
    .split("\n")
    .slice(0, path === "src/lib.rs" || path === "AddTest.java" ? 2 : lines);
  const after = `${first.join("\n")}\n`;
  const [message] = messages([{ path, before, after }]);
  expect(message).toMatch(/had 2 tests before, 1 now: gone is .*b/i);
  expect(judged([{ path, before, after: `${before}${skip}\n` }])).toEqual([
    `weakened skipped ${before.split("\n").length}`,
  ]);
  expect(judged([{ path, before }])).toEqual(["weakened removed 1"]);
  expect(judged([{ path, before, after: `// more\n${before}` }])).toEqual([]);
});

test("a test that moved, or has another name, is no loss; one among others that are new is none", () => {
  const go = (...names: string[]) =>
    names.map((name) => `func ${name}(t *testing.T) {}\n`).join("");
  const moved = [
    { path: "a_test.go", before: go("TestA", "TestB"), after: go("TestA") },
    { path: "b_test.go", after: go("TestB") },
  ];
  expect(judged(moved)).toEqual([]);
  expect(judged([{ path: "a_test.go", before: go("TestA"), after: go("TestOther") }])).toEqual([]);
  const helper = { path: "calc.go", before: go("TestA"), after: "" };
  expect(judged([helper])).toEqual([]);
});
