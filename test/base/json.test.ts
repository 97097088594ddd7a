import fc from "fast-check";
import { expect, test } from "vitest";
import { assert, canonicalize, decodeUtf8, parseJson } from "../../src/base/index.ts";

const MAX = 100_000;
const invalid = expect.objectContaining({ code: "INPUT_INVALID" });
const limit = expect.objectContaining({ code: "LIMIT_EXCEEDED" });

test.each([
  '{"a":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"x":{"a":1,"b":2,"a":3}}',
  '[{"a":1},{"a":1,"a":2}]',
  '{"a" :1,"a"\n:2}',
  '{"":1,"":2}',
])("a key given twice is refused: %s", (text) => {
  expect(() => parseJson(text, MAX)).toThrow(invalid);
});

test.each([
  '{"a":"a","b":"a"}',
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":1}}}',
  '{"a":["a","a"],"b":[{"a":1}]}',
  '{"a\\"":1,"a":2}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '{"a:":1,"a":2}',
])("the same text as value or in another object is fine: %s", (text) => {
  expect(parseJson(text, MAX)).toEqual(JSON.parse(text));
});

test("nesting is bounded at 64", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  expect(parseJson(nested(64), MAX)).toEqual(JSON.parse(nested(64)));
  expect(() => parseJson(nested(65), MAX)).toThrow(limit);
  expect(() => parseJson(nested(40_000), MAX)).toThrow(limit);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  expect(() => parseJson(objects(64), MAX)).not.toThrow();
  expect(() => parseJson(objects(65), MAX)).toThrow(limit);
  expect(parseJson(`["${"[".repeat(100)}"]`, MAX)).toEqual(["[".repeat(100)]);
});

test("lone surrogates are refused, pairs are not", () => {
  for (const text of [
    '"\\ud800"',
    '"\\udc00"',
    '{"\\ud800":1}',
    '["a\\udfffb"]',
    '"\\udc00\\ud800"',
  ])
    expect(() => parseJson(text, MAX)).toThrow(invalid);
  expect(parseJson('"\\ud83d\\ude00"', MAX)).toBe("😀");
  expect(parseJson('"😀"', MAX)).toBe("😀");
});

test("size is counted in bytes", () => {
  expect(parseJson('"ä"', 4)).toBe("ä");
  expect(() => parseJson('"ä"', 3)).toThrow(limit);
});

test.each(["", " ", "{", "nul", "{'a':1}", "[1,]", '{"a":1}x', "\ufeff{}", "NaN", "01"])(
  "what is not JSON is refused: %j",
  (text) => {
    expect(() => parseJson(text, MAX)).toThrow(invalid);
  },
);

test("bytes that are not UTF-8 are refused instead of being replaced", () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
    expect(() => decodeUtf8(Buffer.from(bytes))).toThrow(invalid);
  expect(decodeUtf8(Buffer.from("ä😀"))).toBe("ä😀");
  expect(decodeUtf8(Buffer.from([0xef, 0xbb, 0xbf, 0x41]))).toBe("\ufeffA");
});

test("parsing gives what JSON.parse gives, for everything canonical", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      if (!JSON.stringify(value).isWellFormed() || /\\ud[89a-f]/i.test(text)) return;
      expect(parseJson(text, MAX)).toEqual(JSON.parse(text));
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("the canonical form has one spelling, and it parses back to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown;
      if (/\\ud[89a-f]/i.test(JSON.stringify(plain))) return;
      const text = canonicalize(plain);
      expect(canonicalize(JSON.parse(text))).toBe(text);
      expect(JSON.parse(text)).toEqual(plain);
    }),
    { numRuns: 300, seed: 2 },
  );
});

test("keys are ordered by UTF-16 code units, strings stay as they are", () => {
  expect(canonicalize({ "\u20ac": 1, "\r": 2, "1": 3, "\u0080": 4, "😀": 5, "\ufb33": 6 })).toBe(
    '{"\\r":2,"1":3,"\u0080":4,"€":1,"😀":5,"\ufb33":6}',
  );
  expect(canonicalize("e\u0301")).toBe('"e\u0301"');
  expect(canonicalize([1e21, -0, 0.1, 1e-7])).toBe("[1e+21,0,0.1,1e-7]");
});

test.each([
  ["NaN", Number.NaN],
  ["an infinity", Number.POSITIVE_INFINITY],
  ["undefined", undefined],
  ["a hole", new Array(1)],
  ["an undefined member", { a: undefined }],
  ["a function", () => 1],
  ["a date", new Date(0)],
  ["a map", new Map()],
  ["a bigint", 1n],
  ["a lone surrogate", "\ud800"],
  ["a lone surrogate in a key", { "\ud800": 1 }],
])("%s has no canonical form", (_, value) => {
  expect(() => canonicalize(value)).toThrow(invalid);
});

test("the canonical form is bounded in depth too", () => {
  const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as unknown;
  expect(canonicalize(nested(64))).toBe("[".repeat(64) + "]".repeat(64));
  expect(() => canonicalize(nested(65))).toThrow(invalid);
});

test("a broken invariant is an error of ours, with its reason", () => {
  expect(() => assert(false, "two and two is four")).toThrow("two and two is four");
  expect(() => assert(0, "zero is nothing")).toThrow("invariant");
  assert(true, "nothing happens");
});
