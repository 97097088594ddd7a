import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { Repository } from "../../src/repo/index.ts";
import { all, GitFolder, lines } from "./git-folder.ts";

async function reading(folder: GitFolder, bytesMax?: number) {
  const repository = await folder.open();
  const reader = repository.openBlobs(bytesMax === undefined ? {} : { bytesMax });
  onTestFinished(() => reader.close());
  return { repository, reader };
}

test("many contents are read at once, each under its own question", async () => {
  const folder = new GitFolder();
  const names = Array.from({ length: 300 }, (_, at) => `f${at}.txt`);
  const files = names.map((name, at) => [name, at === 7 ? "" : lines(1, at * 3)] as const);
  const head = folder.commit(Object.fromEntries(files));
  const { repository, reader } = await reading(folder);
  const entries = await all(repository.listTree(head));
  const contents = await Promise.all(entries.map(({ blob, size }) => reader.read(blob, size)));
  for (const [at, entry] of entries.entries()) {
    const expected = files.find(([name]) => name === entry.path)?.[1];
    expect(contents[at]).toEqual({ state: "content", bytes: Buffer.from(expected ?? "?") });
  }
});

test("what is too large is told by its size, known or not, and the next answer is whole", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "large.txt": "x".repeat(300_000), "small.txt": "small\n" });
  const { repository, reader } = await reading(folder, 1_000);
  const [large, small] = await all(repository.listTree(head));
  const tooLarge = { state: "too-large", size: 300_000 };
  expect(await reader.read(large?.blob ?? "", large?.size)).toEqual(tooLarge);
  const both = await Promise.all([large, small].map((entry) => reader.read(entry?.blob ?? "")));
  expect(both).toEqual([tooLarge, { state: "content", bytes: Buffer.from("small\n") }]);
});

test("a missing object, a folder and a commit are told apart from contents", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a/b.txt": "b\n" });
  const { reader } = await reading(folder);
  expect(await reader.read("1".repeat(40))).toEqual({ state: "missing" });
  expect(await reader.read(head)).toEqual({ state: "other", type: "commit" });
  const tree = folder.git("rev-parse", "HEAD:a");
  expect(await reader.read(tree)).toEqual({ state: "other", type: "tree" });
});

// Small, in one piece, and in several: contents come to the reader in different ways.
test.each([4, 40_000, 400_000])(
  "%i bytes that are not the ones the id names are damaged",
  async (size) => {
    const folder = new GitFolder();
    folder.commit();
    const store = (said: string, held: string) => {
      const id = createHash("sha1").update(`blob ${size}\0${said}`).digest("hex");
      const path = join(folder.path, ".git/objects", id.slice(0, 2));
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, id.slice(2)), deflateSync(Buffer.from(`blob ${size}\0${held}`)));
      return id;
    };
    const good = "g".repeat(size);
    const lie = store(`${good.slice(1)}!`, `${good.slice(1)}?`);
    const truth = store(good, good);
    const { reader } = await reading(folder);
    const answers = await Promise.all([reader.read(lie), reader.read(truth)]);
    expect(answers).toEqual([{ state: "damaged" }, { state: "content", bytes: Buffer.from(good) }]);
  },
);

test("a replacement reference does not change what an id shows", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "true\n" });
  folder.write("b.txt", "false\n");
  const other = folder.git("hash-object", "-w", "b.txt");
  const id = folder.git("rev-parse", "HEAD:a.txt");
  folder.git("replace", id, other);
  expect(folder.git("cat-file", "blob", id)).toBe("false");
  const { repository, reader } = await reading(folder);
  expect(await reader.read(id)).toEqual({ state: "content", bytes: Buffer.from("true\n") });
  expect((await repository.blobAt(head, "a.txt"))?.size).toBe(5);
});

test("a link's content is its target, and nothing behind it is read", async () => {
  const folder = new GitFolder();
  symlinkSync("/etc/passwd", join(folder.path, "link"));
  const head = folder.commit();
  const { repository, reader } = await reading(folder);
  const entry = await repository.blobAt(head, "link");
  expect(entry).toMatchObject({ kind: "link", mode: "120000" });
  expect(await reader.read(entry?.blob ?? "")).toEqual({
    state: "content",
    bytes: Buffer.from("/etc/passwd"),
  });
});

test("when git dies, whatever waits fails and so does what is asked later", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const bin = join(folder.home, "bin");
  mkdirSync(bin);
  const script =
    '#!/bin/sh\nfor one in "$@"; do [ "$one" = cat-file ] && { echo broken >&2; exit 3; }; done\n';
  writeFileSync(join(bin, "git"), `${script}PATH="${process.env["PATH"]}" exec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...folder.env, PATH: `${bin}:${process.env["PATH"]}` };
  const repository = await Repository.open(folder.path, { env });
  const reader = repository.openBlobs();
  const id = (await repository.blobAt(head, "a.txt"))?.blob ?? "";
  const failure = { code: "STORE_UNREADABLE", message: expect.stringContaining("broken") };
  await expect(Promise.all([reader.read(id), reader.read(id)])).rejects.toMatchObject(failure);
  await expect(reader.read(id)).rejects.toMatchObject(failure);
  await reader.close();
  repository.close();
});

test("an answer in another form than asked for ends the reading", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const bin = join(folder.home, "bin");
  mkdirSync(bin);
  const script =
    '#!/bin/sh\nfor one in "$@"; do [ "$one" = cat-file ] && { echo "what is this"; cat >/dev/null; exit; }; done\n';
  writeFileSync(join(bin, "git"), `${script}PATH="${process.env["PATH"]}" exec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...folder.env, PATH: `${bin}:${process.env["PATH"]}` };
  const repository = await Repository.open(folder.path, { env });
  const reader = repository.openBlobs();
  const id = (await repository.blobAt(head, "a.txt"))?.blob ?? "";
  await expect(reader.read(id)).rejects.toMatchObject({
    code: "STORE_UNREADABLE",
    message: expect.stringContaining("what is this"),
  });
  await reader.close();
  repository.close();
});

test("a closed reader answers no more, and closing twice is harmless", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const { repository, reader } = await reading(folder);
  const id = (await repository.blobAt(head, "a.txt"))?.blob ?? "";
  await reader.close();
  await reader.close();
  await expect(reader.read(id)).rejects.toThrow("the reader was closed");
});

test("the staged tree is read without a byte written into the repository", async () => {
  const folder = new GitFolder();
  folder.commit({ "a.txt": "a\n", "b.txt": "b\n" });
  folder.write("a.txt", "staged\n");
  folder.git("add", "a.txt");
  folder.write("a.txt", "only in the folder\n");
  folder.write("untracked.txt", "u\n");
  const stored = () => readdirSync(join(folder.path, ".git"), { recursive: true }).toSorted();
  const before = stored();
  const index = folder.git("hash-object", ".git/index");
  const { repository, reader } = await reading(folder);
  const tree = await repository.stagedTree();
  const changed = await all(repository.changedFiles(folder.git("rev-parse", "HEAD"), tree));
  expect(changed.map(({ path }) => path)).toEqual(["a.txt"]);
  const content = await reader.read(changed[0]?.blob ?? "");
  expect(content).toEqual({ state: "content", bytes: Buffer.from("staged\n") });
  expect(stored()).toEqual(before);
  expect(folder.git("hash-object", ".git/index")).toBe(index);
});

test("a split index is understood", async () => {
  const folder = new GitFolder();
  folder.commit({ "a.txt": "a\n" });
  folder.git("update-index", "--split-index");
  folder.write("b.txt", "b\n");
  folder.git("add", "b.txt");
  const repository = await folder.open();
  const paths = (await all(repository.listTree(await repository.stagedTree()))).map((e) => e.path);
  expect(paths).toEqual(["a.txt", "b.txt"]);
});

test("an index in the middle of a merge, none at all, and a link in its place are refused", async () => {
  const folder = new GitFolder();
  const repository = await folder.open();
  await expect(repository.stagedTree()).rejects.toMatchObject({ code: "NOT_FOUND" });
  folder.commit({ "a.txt": "a\n" });
  folder.git("switch", "--quiet", "-c", "side");
  folder.commit({ "a.txt": "side\n" });
  folder.git("switch", "--quiet", "main");
  folder.commit({ "a.txt": "main\n" });
  expect(() => folder.git("merge", "side")).toThrow();
  await expect(repository.stagedTree()).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining("unmerged"),
  });
  folder.git("merge", "--abort");
  const linked = new GitFolder();
  symlinkSync("/dev/zero", join(linked.path, ".git/index"));
  await expect((await linked.open()).stagedTree()).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

test("a listing stays under the folder it was asked for", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "src/a.ts": "a\n", "src/deep/b.ts": "b\n", "srcs/c.ts": "c\n" });
  const repository = await folder.open();
  const under = async (path: string) =>
    (await all(repository.listTree(head, path))).map((entry) => entry.path);
  expect(await under("src")).toEqual(["src/a.ts", "src/deep/b.ts"]);
  expect(await under("./src/deep/")).toEqual(["src/deep/b.ts"]);
  expect(await under("nothing")).toEqual([]);
  for (const path of ["../x", "/etc", "src/../../x", "a\0b"]) {
    await expect(under(path)).rejects.toMatchObject({ code: "PATH_ESCAPES" });
  }
  expect(await repository.blobAt(head, "src")).toBe(undefined);
});
