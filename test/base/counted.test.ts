import { expect, test } from "vitest";
import { counted } from "../../src/base/index.ts";

test.each([
  [1, "file", "1 file"],
  [2, "file", "2 files"],
  [0, "entry", "0 entries"],
  [1, "try", "1 try"],
  [3, "try", "3 tries"],
])("%i of a %s is said as one would say it", (count, noun, words) => {
  expect(counted(count, noun)).toBe(words);
});
