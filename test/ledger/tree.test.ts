import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256, sha256Hex } from "../../src/base/index.ts";
import {
  EMPTY_ROOT,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  proveConsistency,
  proveInclusion,
  TreeHead,
} from "../../src/ledger/index.ts";

const hashesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => sha256Hex(`e${index}`));
const SIZES = 34;

/** RFC 6962, 2.1, word for word. */
function rootByDefinition(hashes: readonly string[]): string {
  if (hashes.length === 0) return sha256Hex("");
  if (hashes.length === 1) {
    const leaf = Buffer.concat([Buffer.from([0]), Buffer.from(hashes[0] ?? "", "hex")]);
    return sha256(leaf).toString("hex");
  }
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)].map(rootByDefinition);
  const node = Buffer.concat([
    Buffer.from([1]),
    Buffer.from(left ?? "", "hex"),
    Buffer.from(right ?? "", "hex"),
  ]);
  return sha256(node).toString("hex");
}

function rootOf(hashes: readonly string[]): string {
  const tree = new TreeHead();
  for (const hash of hashes) tree.append(hash);
  return tree.root();
}

test("the root is the one that RFC 6962 defines, at every size", () => {
  for (let size = 0; size <= SIZES; size += 1)
    expect(rootOf(hashesOf(size))).toBe(rootByDefinition(hashesOf(size)));
  expect(EMPTY_ROOT).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("a copy of a tree grows on its own", () => {
  const hashes = hashesOf(SIZES);
  for (let size = 0; size <= SIZES; size += 1) {
    const first = new TreeHead();
    for (const hash of hashes.slice(0, size)) first.append(hash);
    const second = first.copy();
    for (const hash of hashes.slice(size)) second.append(hash);
    expect([second.size, second.root()]).toEqual([SIZES, rootOf(hashes)]);
    expect([first.size, first.root()]).toEqual([size, rootOf(hashes.slice(0, size))]);
  }
});

test("every entry is proven to be in every tree, at its own place only", () => {
  for (let size = 1; size <= SIZES; size += 1) {
    const hashes = hashesOf(size);
    const root = rootOf(hashes);
    for (const [index, hash] of hashes.entries()) {
      const path = proveInclusion(hashes, index);
      expect(isIncluded(hash, { index, size, path, root })).toBe(true);
      for (const other of [index - 1, index + 1, size, -1])
        expect(isIncluded(hash, { index: other, size, path, root })).toBe(false);
      if (size > 1)
        expect(isIncluded(sha256Hex("foreign"), { index, size, path, root })).toBe(false);
    }
  }
});

test("every earlier tree is proven to be a prefix, and no other is", () => {
  const hashes = hashesOf(SIZES);
  const newer = { size: SIZES, root: rootOf(hashes) };
  for (let size = 1; size <= SIZES; size += 1) {
    const path = proveConsistency(hashes, size);
    const older = { size, root: rootOf(hashes.slice(0, size)) };
    expect(isConsistent(older, newer, path)).toBe(true);
    expect(isConsistent({ ...older, root: sha256Hex("x") }, newer, path)).toBe(false);
    expect(isConsistent({ ...older, size: size + 1 }, newer, path)).toBe(false);
    expect(isConsistent(older, { ...newer, root: sha256Hex("x") }, path)).toBe(false);
    expect(isConsistent(older, newer, [...path, sha256Hex("x")])).toBe(false);
    if (path.length > 0) expect(isConsistent(older, newer, path.slice(1))).toBe(false);
  }
  expect(isConsistent({ size: 0, root: EMPTY_ROOT }, newer, [])).toBe(false);
});

test("a leaf cannot be passed off as a node", () => {
  const [left, right] = [leafHash(sha256Hex("a")), leafHash(sha256Hex("b"))];
  expect(nodeHash(left, right)).not.toBe(leafHash(left));
  expect(nodeHash(left, right)).not.toBe(nodeHash(right, left));
});

test("whatever a proof holds, checking it ends with an answer", () => {
  const digest = fc.nat({ max: 5 }).map((number) => sha256Hex(`e${number}`));
  const size = fc.oneof(fc.nat({ max: 9 }), fc.constantFrom(-1, 0.5, Number.NaN, 2 ** 53, 1e308));
  fc.assert(
    fc.property(
      digest,
      size,
      size,
      fc.array(digest, { maxLength: 8 }),
      digest,
      (hash, index, total, path, root) => {
        expect(typeof isIncluded(hash, { index, size: total, path, root })).toBe("boolean");
        expect(typeof isConsistent({ size: index, root }, { size: total, root: hash }, path)).toBe(
          "boolean",
        );
      },
    ),
    { numRuns: 400, seed: 3 },
  );
});
