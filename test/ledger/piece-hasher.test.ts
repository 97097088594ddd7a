import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { TreeHead } from "../../src/ledger/index.ts";
import { inlineHasher, type PieceHasher } from "../../src/ledger/piece-hasher.ts";

type Hashers = typeof import("../../src/ledger/piece-hasher.ts");
const BUILT = resolve(import.meta.dirname, "../../dist/ledger/piece-hasher.js");

/** Threads are started from what was built. */
async function threaded(): Promise<PieceHasher> {
  const { threadedHasher } = (await import(pathToFileURL(BUILT).href)) as Hashers;
  return threadedHasher();
}

const lines = Array.from(
  { length: 4_000 },
  (_, at) => `{"seq":${at},"text":"${"ü€😀".repeat(200)}"}`,
);
const pieces = Array.from({ length: 40 }, (_, at) =>
  lines.slice(100 * at, 100 * at + 100).join("\n"),
);

async function hashed(hasher: PieceHasher, all: readonly string[]) {
  try {
    for (const piece of all) await hasher.take(new TextEncoder().encode(piece));
    return await hasher.end();
  } finally {
    await hasher.close();
  }
}

test("both ways of hashing come to the tree over all lines, however they are cut", async () => {
  const tree = new TreeHead();
  for (const line of lines) tree.append(sha256Hex(line));
  const expected = { size: 4_000, root: tree.root() };
  expect(await hashed(inlineHasher(), pieces)).toEqual(expected);
  expect(await hashed(await threaded(), pieces)).toEqual(expected);
  expect(await hashed(await threaded(), lines)).toEqual(expected);
});

test("one other character is another tree, and none is the empty one", async () => {
  const other = [...pieces.slice(0, -1), (pieces.at(-1) ?? "").replace("3999", "3998")];
  const [right, wrong] = [
    await hashed(await threaded(), pieces),
    await hashed(await threaded(), other),
  ];
  expect(wrong.size).toBe(right.size);
  expect(wrong.root).not.toBe(right.root);
  expect(await hashed(await threaded(), [])).toEqual({ size: 0, root: new TreeHead().root() });
});
