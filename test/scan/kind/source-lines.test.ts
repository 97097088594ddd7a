import { expect, test } from "vitest";
import { SourceLines } from "../../../src/scan/kind/index.ts";

const lines = (text: string) => new SourceLines({ path: "a.txt", text });

test("a line is found by its offset, at both of its ends", () => {
  const three = lines("ab\ncd\n\nef");
  expect([0, 2, 3, 5, 6, 7, 8].map((at) => three.lineAt(at))).toEqual([1, 1, 2, 2, 3, 4, 4]);
  expect(three.count).toBe(4);
});

test("the text of a line has no line end", () => {
  expect(lines("ab\r\ncd").textOf(1)).toBe("ab");
  expect(lines("ab\ncd").textOf(2)).toBe("cd");
});

test("a citation quotes whole lines exactly as they stand", () => {
  const text = "  one\r\n\ttwo  \r\nthree";
  const citation = lines(text).cite(1, 2);
  expect(citation).toEqual({ file: "a.txt", line: 1, end_line: 2, quote: "  one\r\n\ttwo  " });
  expect(text).toContain(citation.quote);
});

test("a blank line is cited without a quotation", () => {
  expect(lines("a\n\nb").cite(2)).toEqual({ file: "a.txt", line: 2 });
});

test("of a line too long to quote only the beginning is quoted, and nothing after it", () => {
  const text = `${"x".repeat(1_000_000)}\nnext`;
  const { quote = "", ...rest } = lines(text).cite(1, 2);
  expect(rest).toEqual({ file: "a.txt", line: 1 });
  expect(quote.length).toBe(2_000);
  expect(text.startsWith(quote)).toBe(true);
});

test("a quotation has at most twenty lines", () => {
  expect(lines("x\n".repeat(100)).cite(1, 90).end_line).toBe(20);
});
