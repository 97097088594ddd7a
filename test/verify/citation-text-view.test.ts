import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalize, sha256Hex } from "../../src/base/index.ts";
import { identityOf } from "../../src/verify/citation/index.ts";
import { type Place, TextView } from "../../src/verify/citation/text-view.ts";
import { hasWord, hasWordIn, isWithinWord } from "../../src/verify/citation/word-code.ts";
import { findingAt } from "./citation-tree.ts";

/** One to four bytes in UTF-8, letters and not, and white space of every length. */
const PIECES = "a b _ 9 ; é ß — 日 😀 𝒳 \ufffd".split(" ");
const SPACES = [" ", "\n", "\t", "\u00a0", "\u2003", "\u3000", "\ufeff", "\v", "\u2028"];
const piece = fc.constantFrom(...PIECES, ...PIECES, ...SPACES);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const pattern = fc
  .array(piece, { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(""))
  .filter((one) => one.trim() !== "");

/** Where a search through characters finds a pattern, overlapping places included. */
function indexesOf(text: string, pattern: string): number[] {
  return [...text].length === 0
    ? []
    : Array.from({ length: text.length }, (_, at) => at).filter((at) =>
        text.startsWith(pattern, at),
      );
}

const linesBefore = (text: string, at: number) => text.slice(0, at).split("\n").length;

test("a search in bytes finds what a search in characters finds", () => {
  fc.assert(
    fc.property(text, pattern, (text, pattern) => {
      const view = new TextView(Buffer.from(text));
      const expected = indexesOf(text, pattern).map((at) => ({
        from: linesBefore(text, at),
        to: linesBefore(text, at + pattern.length - 1),
      }));
      const found = view.exact(pattern, 1_000);
      expect(found.map((one) => view.placeOf(one))).toEqual(expected);
      for (const { start, end } of found) {
        expect(view.bytes.toString("utf8", start, end)).toBe(pattern);
      }
    }),
    { numRuns: 500 },
  );
});

test("without regard to white space, too", () => {
  fc.assert(
    fc.property(text, pattern, (text, pattern) => {
      const view = new TextView(Buffer.from(text));
      const solid = [...text].map((one, at, all) => ({
        one,
        at: all.slice(0, at).join("").length,
      }));
      const kept = solid.filter(({ one }) => one.trim() !== "");
      const wanted = pattern.replace(/\s+/g, "");
      const starts = kept.filter((_, at) =>
        kept
          .slice(at)
          .map(({ one }) => one)
          .join("")
          .startsWith(wanted),
      );
      const found = view.squeezed(pattern, 1_000);
      expect(found.map(({ start }) => view.lineAt(start))).toEqual(
        starts.map(({ at }) => linesBefore(text, at)),
      );
    }),
    { numRuns: 500 },
  );
});

test("a search around some lines misses nothing that touches them", () => {
  const touches = ({ from, to }: Place, line: number) => from <= line && to >= line;
  fc.assert(
    fc.property(text, pattern, fc.integer({ min: 1, max: 6 }), (text, pattern, line) => {
      const view = new TextView(Buffer.from(text));
      const places = (found: ReturnType<TextView["squeezed"]>) =>
        found.map((one) => view.placeOf(one)).filter((place) => touches(place, line));
      const around = view.squeezedAround(pattern, 1_000, { from: line, to: line });
      expect(places(around)).toEqual(places(view.squeezed(pattern, 1_000)));
    }),
    { numRuns: 1_000 },
  );
});

test("where more places could be than are counted, no few lines are asked", () => {
  const view = new TextView(Buffer.from("a ".repeat(50)));
  expect(view.squeezedAround("a", 100, { from: 1, to: 1 })).toEqual([]);
  expect(view.squeezedAround("a", 101, { from: 1, to: 1 })).toHaveLength(50);
});

test("letters of any script join a word, and nothing else does", () => {
  const joined = ["ab", "é9", "ßa", "日本", "_日", "9é"];
  const apart = ["a ", " a", "a;", "é—", "—日", "😀a", "a😀", "𝒳a", "日\u3000"];
  const within = (pair: string) =>
    isWithinWord(
      Buffer.from(pair),
      Buffer.byteLength(String.fromCodePoint(pair.codePointAt(0) ?? 0)),
    );
  expect(joined.filter((pair) => !within(pair))).toEqual([]);
  expect(apart.filter(within)).toEqual([]);
  expect([isWithinWord(Buffer.from("ab"), 0), isWithinWord(Buffer.from("ab"), 2)]).toEqual([
    false,
    false,
  ]);
});

test("a name is a word of its own in bytes exactly when it is in characters", () => {
  const name = fc.constantFrom("a", "ab", "日", "a_9", "é");
  fc.assert(
    fc.property(text, name, (text, name) => {
      expect(hasWord(Buffer.from(text), name)).toBe(hasWordIn(text, name));
    }),
    { numRuns: 1_000 },
  );
  expect(hasWordIn("x user; y", "user")).toBe(true);
  expect(hasWordIn("superuser user2 üser", "user")).toBe(false);
  expect(hasWordIn("superuser user", "user")).toBe(true);
});

test("half a character is in no text, not even where a text has the sign for one", () => {
  const view = new TextView(Buffer.from("x\ufffd 😀"));
  expect(view.exact("\ud83d", 10)).toEqual([]);
  expect(view.exact("x\ufffd", 10)).toHaveLength(1);
});

test("an identity is the digest of a canonical form", () => {
  const finding = findingAt({ file: "a.ts", quote: ' a\t "é"\n  b  c ' });
  const identity = { v: 1, path: "p/ü", anchor: 'a "é" b c', category: "wrong", title: "" };
  expect(identityOf(finding, "p/ü")).toBe(sha256Hex(canonicalize(identity)));
});

test("lines are counted right, few or many, with or without a newline at the end", () => {
  const view = (text: string) => new TextView(Buffer.from(text));
  // One after another: what counting a long text leaves behind must not show in a short one.
  for (const count of [0, 1, 4_094, 4_095, 4_096, 4_097, 200_000, 3, 0]) {
    expect(view("x\n".repeat(count)).lineCount).toBe(count);
    expect(view(`${"x\n".repeat(count)}end`).lineCount).toBe(count + 1);
    expect(view(`${"x\n".repeat(count)}end`).line(count + 1)).toBe("end");
  }
});
