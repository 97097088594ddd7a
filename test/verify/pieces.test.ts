import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { splitLines } from "../../src/verify/line.ts";
import { wholeLines } from "../../src/verify/pieces.ts";
import type { TraceSource } from "../../src/verify/source.ts";

const LIMIT = 1_048_576;
const LENGTHS = [1, 0, LIMIT, 5, LIMIT + 1, 3 * LIMIT, 0, 2 * LIMIT + 7, 3];
const LINES = LENGTHS.map((length, index) => String.fromCharCode(97 + index).repeat(length));

/** The hashes of the lines that come out of a source which gives its bytes in chunks of one size. */
async function hashesOf(text: string, chunkBytes: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      yield bytes.subarray(at, at + chunkBytes);
    }
  }
  const hashes: string[] = [];
  for await (const piece of wholeLines({ lines: chunks } as unknown as TraceSource)) {
    if ("hash" in piece) hashes.push(piece.hash.toString("hex"));
    else hashes.push(...splitLines(piece).map((line) => sha256Hex(line)));
  }
  return hashes;
}

test.each([65_536, 65_537, 1_000_003, LIMIT, LIMIT + 1, 3_333_333, 20_000_000])(
  "lines are the same whatever their length, in chunks of %i bytes",
  async (chunkBytes) => {
    const expected = LINES.map((line) => sha256Hex(line));
    expect(await hashesOf(`${LINES.join("\n")}\n`, chunkBytes)).toEqual(expected);
    expect(await hashesOf(LINES.join("\n"), chunkBytes)).toEqual(expected);
    const cut = LINES.slice(0, -1);
    expect(await hashesOf(cut.join("\n"), chunkBytes)).toEqual(expected.slice(0, -1));
  },
);

test("a line that never ends is not kept", async () => {
  const chunk = Buffer.alloc(65_536, "x");
  function* endless() {
    for (let count = 0; count < 64; count += 1) yield chunk;
  }
  const pieces: unknown[] = [];
  for await (const piece of wholeLines({ lines: endless } as unknown as TraceSource)) {
    pieces.push(piece);
  }
  expect(pieces).toEqual([{ hash: expect.any(Buffer) }]);
});

test("a source without bytes has no lines", async () => {
  expect(await hashesOf("", 10)).toEqual([]);
});
