import fc from "fast-check";
import { expect, test } from "vitest";
import { LineReader } from "../../../src/flow/tooling/line-reader.ts";

test("lines are the same however a stream is cut, and what follows the last newline is none", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 }),
      fc.array(fc.nat(40), { maxLength: 20 }),
      (parts, newlines) => {
        const text = Buffer.concat(parts);
        for (const at of newlines) if (at < text.length) text[at] = 10;
        const reader = new LineReader(1_000);
        const lines: string[] = [];
        let from = 0;
        for (const part of parts) {
          const chunk = text.subarray(from, from + part.length);
          from += part.length;
          for (const line of reader.take(chunk)) lines.push(line.toString("latin1"));
        }
        const whole = text.toString("latin1").split("\n");
        expect(lines).toEqual(whole.slice(0, -1));
        expect(reader.held).toBe(whole.at(-1)?.length);
      },
    ),
  );
});

test("a line is too long as soon as it is, whether it ends or not", () => {
  const take = (bytes: string) => [...new LineReader(5).take(Buffer.from(bytes))].length;
  expect(take("12345\n12345")).toBe(1);
  for (const long of ["123456", "123456\n", "1\n123456"]) {
    expect(() => take(long)).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  }
});
