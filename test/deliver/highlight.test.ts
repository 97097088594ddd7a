import fc from "fast-check";
import { expect, test } from "vitest";
import { highlight, highlightLines } from "../../src/deliver/highlight.ts";
import { languageOf } from "../../src/deliver/language.ts";
import { processorMsSince } from "../cost-growth.ts";

const kinds = (file: string, source: string): string[] =>
  highlight(source, languageOf(file))
    .filter(({ kind }) => kind !== "plain")
    .map(({ kind, text }) => `${kind}:${text}`);

test.each([
  ["a.ts", 'const a = "x\\"y"; // end', ["word:const", 'text:"x\\"y"', "comment:// end"]],
  ["a.js", "`a\n$(b)` /* c\nd */ 0x1F", ["text:`a\n$(b)`", "comment:/* c\nd */", "number:0x1F"]],
  ["a.py", "def f(): # c\n  '''a\nb'''", ["word:def", "comment:# c", "text:'''a\nb'''"]],
  [
    "a.go",
    'func f() { return 1.5 } // "x"',
    ["word:func", "word:return", "number:1.5", 'comment:// "x"'],
  ],
  ["a.c", "'unclosed\nint x;", ["text:'unclosed", "word:int"]],
  ["a.ts", "/* never closed", ["comment:/* never closed"]],
  ["a.ts", "constant returned x1", []],
  ["a.txt", 'const a = "x"; # 1', []],
  ["Makefile", "return 1", []],
  ["evil.constructor", "return 1", []],
])("%s: %j is coloured as it reads", (file, source, expected) => {
  expect(kinds(file, source)).toEqual(expected);
});

test("every character comes out once, in order, whatever the source", () => {
  const piece = fc.oneof(
    fc.constantFrom('"', "'", "`", "'''", '"""', "/*", "*/", "//", "#", "\\", "\n", "1", "if", " "),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const source = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(source, fc.constantFrom("a.ts", "a.py", "a.c", "a"), (text, file) => {
      const tokens = highlight(text, languageOf(file));
      expect(tokens.map((token) => token.text).join("")).toBe(text);
      const lines = highlightLines(text.split("\n"), languageOf(file));
      expect(lines.map((line) => line.map((token) => token.text).join(""))).toEqual(
        text.split("\n"),
      );
    }),
    { numRuns: 300 },
  );
});

test("hostile source takes time in proportion to its length", () => {
  const started = process.cpuUsage();
  for (const piece of ['"', "'", "`", "/*", "\\", "'''", "a", "1."]) {
    highlight(piece.repeat(60_000), languageOf("a.ts"));
    highlight(piece.repeat(60_000), languageOf("a.py"));
  }
  expect(processorMsSince(started)).toBeLessThan(20_000);
});
