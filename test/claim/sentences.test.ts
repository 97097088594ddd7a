import { expect, test } from "vitest";
import { sentencesOf } from "../../src/claim/sentences.ts";
import { expectLinear } from "../cost-growth.ts";

test.each([
  ["over the end of a line", "All tests\npass now.", ["All tests pass now."]],
  ["over several", "all of\nthe existing\r\ntests pass.", ["all of the existing tests pass."]],
  ["in an item", "- All\n  tests pass\n- Done", ["- All tests pass", "- Done"]],
  ["in a numbered item", "1. All\n   tests\n2. Done", ["1. All tests", "2. Done"]],
  ["in a quotation", "> All tests\n> pass.", ["> All tests pass."]],
  ["to a name", "It was done with\nNode", ["It was done with Node"]],
  ["to code", "Created\n`a.js`.", ["Created `a.js`."]],
  ["behind a margin", `${"word ".repeat(14)}of\nNode.`, [`${"word ".repeat(14)}of Node.`]],
  ["and is folded", "All   tests\tpass.", ["All tests pass."]],
])("a sentence goes on %s", (_, text, expected) => {
  expect(sentencesOf(text)).toEqual(expected);
});

test.each([
  ["a full stop", "One. Two.\nThree.", ["One.", "Two.", "Three."]],
  ["a full stop within marks", "**One.** Two.", ["**One.**", "Two."]],
  ["a blank line", "One\n\ntwo", ["One", "two"]],
  ["a heading", "One\n# Two\nthree", ["One", "# Two", "three"]],
  ["a line below a heading", "One\n===\ntwo", ["One", "two"]],
  ["a rule", "One\n---\ntwo", ["One", "two"]],
  ["a list", "One\n- two\n* three\n1) four", ["One", "- two", "* three", "1) four"]],
  ["a row", "One\n| a | b |\n|---|---|\n| c | d |", ["One", "| a | b |", "| c | d |"]],
  ["a row without borders", "a | b\n--- | ---\nc | d", ["a | b", "c | d"]],
  ["a quotation", "One\n> two\nthree", ["One", "> two", "three"]],
  ["a deeper quotation", "> one\n>> two", ["> one", ">> two"]],
  ["code", "One\n```\ntwo\n```\nthree", ["One", "three"]],
  ["code in other fences", "~~~\na\n```\nb\n~~~\nc", ["c"]],
  ["code in a longer fence", "````\na\n```\nb\n````\nc", ["c"]],
  ["markup", "One\n<details>\ntwo", ["One", "<details> two"]],
  ["a label", "One\nTwo: three\nFour", ["One", "Two: three", "Four"]],
  ["a label in bold", "one\n**Two**: three", ["one", "**Two**: three"]],
  [
    "a line that is one by itself",
    "Fixed it\nAll tests pass\n✅ Done",
    ["Fixed it", "All tests pass", "✅ Done"],
  ],
  ["code behind code", "Updated `a.js`\n`b.js` is left", ["Updated `a.js`", "`b.js` is left"]],
])("%s ends it", (_, text, expected) => {
  expect(sentencesOf(text)).toEqual(expected);
});

test("backticks around a word in prose begin no block of code", () => {
  expect(sentencesOf("```x``` is it.\nAll tests pass.")).toEqual([
    "```x``` is it.",
    "All tests pass.",
  ]);
});

test("a paragraph without an end is read line by line", () => {
  const line = "words that never come to an end and so on";
  const text = `${Array.from({ length: 50 }, () => line).join("\n")}\nall tests pass`;
  const sentences = sentencesOf(text);
  expect(sentences.at(-1)).toBe("all tests pass");
  expect(sentences).toHaveLength(51);
  expect(sentencesOf("x".repeat(2_000))[0]).toHaveLength(1_000);
});

test.each([
  "-",
  "- ",
  "> ",
  ">",
  "| ",
  "`",
  "a `",
  ". ",
  "!",
  "\n",
  "a\n",
  "A\n",
  "a:\n- b\n",
  "All tests\npass\n",
  "Word: x\n",
  "<a\n",
  "1. ",
  "#",
  " ",
  "- a:\n  - b\n",
])("1 MB of %j is read in time that grows with it", (part) => {
  const of = (chars: number) => `${part.repeat(Math.ceil(chars / part.length))}x`;
  const texts = { 1: of(100_000), 10: of(1_000_000) };
  expectLinear((times) => sentencesOf(texts[times]));
});
