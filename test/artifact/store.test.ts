import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { ArtifactStore } from "../../src/artifact/index.ts";
import { sha256Hex } from "../../src/base/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";

const BUILT = resolve(import.meta.dirname, "../../dist/artifact/index.js");
const GIB = 1_073_741_824;

function freshStore() {
  const folder = join(temporaryFolder(), "artifacts");
  return { folder, store: new ArtifactStore(folder) };
}
const contentOf = (store: ArtifactStore, hash: string) => Buffer.concat([...store.read(hash)]);
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );

test("bytes are stored under their hash, once, whoever brings them", () => {
  const { folder, store } = freshStore();
  const hash = sha256Hex("hello");
  expect(store.has(hash)).toBe(false);
  expect(store.size(hash)).toBeUndefined();
  expect(store.put(Buffer.from("hello"))).toEqual({ hash, bytes: 5 });
  expect(store.putChunks([Buffer.from("hel"), Buffer.from("lo")])).toEqual({ hash, bytes: 5 });
  expect(filesIn(folder)).toEqual([join("sha256", hash)]);
  expect(contentOf(store, hash).toString()).toBe("hello");
  expect(store.size(hash)).toBe(5);
});

test("empty bytes and large ones are stored alike", () => {
  const { folder, store } = freshStore();
  expect(store.put(Buffer.alloc(0))).toEqual({ hash: sha256Hex(""), bytes: 0 });
  expect(contentOf(store, sha256Hex(""))).toHaveLength(0);
  const large = randomBytes(3_000_001);
  const path = join(folder, "..", "large");
  writeFileSync(path, large);
  const fd = openSync(path, "r");
  const stored = store.putOpenFile(fd);
  closeSync(fd);
  expect(stored).toEqual({ hash: sha256Hex(large), bytes: large.length });
  expect(contentOf(store, stored.hash).equals(large)).toBe(true);
});

test("a damaged file is replaced when its bytes come again", () => {
  const { store } = freshStore();
  const { hash } = store.put(Buffer.from("evidence"));
  const path = store.pathOf(hash);
  for (const damage of [
    () => truncateSync(path, 3),
    () => writeFileSync(path, "forgery!"),
    () => writeFileSync(path, ""),
  ]) {
    damage();
    store.put(Buffer.from("evidence"));
    expect(readFileSync(path, "utf8")).toBe("evidence");
  }
});

test("more than a gibibyte is refused before it is written", () => {
  const { folder, store } = freshStore();
  const huge = { length: GIB + 1 } as Uint8Array;
  expect(() => store.put(huge)).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  const parts = [Buffer.from("a beginning"), { length: GIB } as Uint8Array];
  expect(() => store.putChunks(parts)).toThrow(expect.objectContaining({ code: "LIMIT_EXCEEDED" }));
  expect(filesIn(folder)).toEqual([]);
});

test("bytes that stop coming leave nothing behind", () => {
  const { folder, store } = freshStore();
  function* broken(): Generator<Buffer> {
    yield Buffer.from("half of it");
    throw new Error("the pipe broke");
  }
  expect(() => store.putChunks(broken())).toThrow(
    expect.objectContaining({ code: "ARTIFACT_WRITE_FAILED" }),
  );
  expect(filesIn(folder)).toEqual([]);
});

test("a store that cannot be written to says so", () => {
  const folder = join(temporaryFolder(), "artifacts");
  writeFileSync(folder, "a file where the folder should be");
  expect(() => new ArtifactStore(folder).put(Buffer.from("x"))).toThrow(
    expect.objectContaining({ code: "ARTIFACT_WRITE_FAILED" }),
  );
});

test("what killed writers left is swept, stored bytes are not", () => {
  const { folder, store } = freshStore();
  expect(store.sweep()).toBe(0);
  const { hash } = store.put(Buffer.from("kept"));
  writeFileSync(join(folder, "incoming", "0123456789abcdef"), "half");
  expect(store.sweep()).toBe(1);
  expect(filesIn(folder)).toEqual([join("sha256", hash)]);
});

verifies(
  "002-37",
  "processes that store the same artifacts at once each find every one of them whole",
  async () => {
    const { folder, store } = freshStore();
    const seeds = Array.from({ length: 12 }, (_, index) => `artifact ${index} `.repeat(20_000));
    const program = `
      const { ArtifactStore } = await import(${JSON.stringify(BUILT)});
      const store = new ArtifactStore(process.argv[1]);
      for (let i = 0; i < 12; i += 1) {
        const bytes = Buffer.from(\`artifact \${i} \`.repeat(20_000));
        const { hash } = store.put(bytes);
        if (!Buffer.concat([...store.read(hash)]).equals(bytes)) process.exit(1);
      }`;
    const codes = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise((done) =>
            spawn(process.execPath, ["--input-type=module", "-e", program, folder]).on(
              "close",
              done,
            ),
          ),
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    for (const text of seeds) expect(contentOf(store, sha256Hex(text)).toString()).toBe(text);
    expect(filesIn(folder)).toHaveLength(seeds.length);
  },
);
