import { expect, test } from "vitest";
import type { SourceEntry, SourceTree } from "../../src/verify/citation/index.ts";
import { SourceCache } from "../../src/verify/citation/source-cache.ts";

/** A tree that counts how many files are asked for and not answered yet. */
class CountingTree implements SourceTree {
  underWay = 0;
  most = 0;

  async find(path: string): Promise<SourceEntry> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    this.underWay -= 1;
    return { kind: "file", bytes: Buffer.from(path), at: "head" };
  }

  paths(): Promise<readonly string[]> {
    return Promise.resolve(Array.from({ length: 300 }, (_, at) => `${at}.ts`));
  }
}

test("many files come in their order, with a bounded number read ahead", async () => {
  const tree = new CountingTree();
  const cache = new SourceCache(tree);
  const paths = await cache.paths();
  const seen: string[] = [];
  for await (const [path, entry] of cache.each(paths)) {
    expect(entry.kind === "text" && entry.source.plain.bytes.toString()).toBe(path);
    seen.push(path);
  }
  expect(seen).toEqual(paths);
  expect(tree.most).toBe(64);
});

test("what was read is ready, and what was not is not", async () => {
  const cache = new SourceCache(new CountingTree());
  expect(cache.ready("1.ts")).toBeUndefined();
  const reading = cache.read("1.ts");
  expect(cache.ready("1.ts")).toBeUndefined();
  const entry = await reading;
  expect(cache.ready("1.ts")).toBe(entry);
});
