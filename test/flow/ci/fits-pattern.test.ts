import { expect, test } from "vitest";
import { fitsPattern } from "../../../src/flow/ci/fits-pattern.ts";

test.each([
  ["test/*.test.js", "test/a.test.js"],
  ["test/**", "test/a/b.js"],
  ["**/*.test.js", "a.test.js"],
  ["**/*.test.js", "src/deep/a.test.js"],
  ["src/**/__tests__/**/*.[jt]s", "src/__tests__/a.ts"],
  ["checks/{cart,order}.js", "checks/cart.js"],
  ["{src/a,lib}/*.js", "src/a/b.js"],
  ["a?c.py", "abc.py"],
  ["*a*b*", "xaxxbx"],
])("%s fits %s", (pattern, path) => {
  expect(fitsPattern(pattern, path)).toBe(true);
});

test.each([
  ["test/*.test.js", "test/deep/a.test.js"],
  ["test/*.test.js", "test/a.js"],
  ["test/**", "tests/a.js"],
  ["*.js", "a.jsx"],
  ["a?c.py", "ac.py"],
  ["a.js", "a.js"],
  ["*a*b", "xbxa"],
])("%s does not fit %s", (pattern, path) => {
  expect(fitsPattern(pattern, path)).toBe(false);
});

test("whoever chooses pattern and path cannot choose how long it takes", () => {
  const deep = `${"a/".repeat(2_000)}b.js`;
  expect(fitsPattern(`${"**/".repeat(300)}x.js`, deep)).toBe(false);
  expect(fitsPattern(`${"*a".repeat(400)}x`, "a".repeat(4_000))).toBe(false);
});
