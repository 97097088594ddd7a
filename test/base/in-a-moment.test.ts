import { expect, test } from "vitest";
import { inAMoment } from "../../src/base/in-a-moment.ts";
import { headingsOf } from "../../src/run/proof/headings.ts";

test("what ends at once comes back as it is", () => {
  const value = { found: [1, 2] };
  expect(inAMoment(() => value)).toBe(value);
  expect(inAMoment(() => 0)).toBe(0);
});

test("what does not end is ended, also within one call that nothing interrupts", () => {
  const text = `${"a".repeat(64)}b`;
  expect(inAMoment(() => /^(a|a)*$/.test(text))).toBe(undefined);
  expect(
    inAMoment(() => {
      for (;;);
    }),
  ).toBe(undefined);
});

test("what fails has no answer", () => {
  expect(
    inAMoment(() => {
      throw new Error("odd");
    }),
  ).toBe(undefined);
});

test("a long document is read, here or in a thread", async () => {
  const long = `# One\n\n${"> - *a* [b](c) `d`\n\n".repeat(300)}\n## Two *and*\n`;
  expect(await headingsOf(long)).toEqual([
    { depth: 1, text: "One" },
    { depth: 2, text: "Two and" },
  ]);
});
