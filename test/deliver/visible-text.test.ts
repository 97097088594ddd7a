import fc from "fast-check";
import { expect, test } from "vitest";
import { oneLine, visibleLines, visibleName, visibleText } from "../../src/deliver/visible-text.ts";

test.each([
  ["a\u202eb", "a⟦U+202E⟧b"],
  ["\u001b[31m", "⟦U+001B⟧[31m"],
  ["x\u200by\ufeff", "x⟦U+200B⟧y⟦U+FEFF⟧"],
  ["\ud800", "⟦U+D800⟧"],
  ["\u{e0041}", "⟦U+E0041⟧"],
  ["\u3164", "⟦U+3164⟧"],
  ["a\r\nb\rc", "a\nb⟦U+000D⟧c"],
  ["⚠️ ok\ufe0f", "⚠ ok⟦U+FE0F⟧"],
  ["tab\tand\nline, ünïcödé 日本 🔍", "tab\tand\nline, ünïcödé 日本 🔍"],
])("%j is shown as %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("prose on one line folds white space, a name shows it, and neither is ever empty", () => {
  expect(oneLine("  a \n\t b\u00a0c ")).toBe("a b c");
  expect(visibleName("a\nb\tc ")).toBe("a⟦U+000A⟧b⟦U+0009⟧c⟦U+0020⟧");
  expect(oneLine(" \n ")).toBe("(blank)");
  expect(visibleName(" a b")).toBe("⟦U+0020⟧a b");
  expect(visibleName("")).toBe("(blank)");
  expect(visibleName("  ")).toBe("⟦U+0020⟧⟦U+0020⟧");
  expect(visibleLines("")).toEqual([""]);
});

test("nothing hidden is left, and the result is well-formed", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.array(fc.integer({ min: 0, max: 0xffff })),
      (a, b) => {
        const shown = visibleText(a + String.fromCharCode(...b));
        expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(shown.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
