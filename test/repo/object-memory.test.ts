import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Repository } from "../../src/repo/index.ts";
import { ObjectMemory } from "../../src/repo/object-memory.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { all, GitFolder } from "./git-folder.ts";

const ID = "a".repeat(40);

/** A repository with one file, opened, and the id of what is in it. */
async function withBlob() {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const { starts, open } = counted(folder);
  const repository = await open();
  const [entry] = await all(repository.listTree(head));
  return { starts, repository, blob: entry?.blob ?? "" };
}

/** A repository whose git writes down each of its starts. */
function counted(folder: GitFolder) {
  const tools = temporaryFolder();
  const log = join(tools, "log");
  const git = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\necho "$$ $*" >> ${log}\nexec ${git} "$@"\n`;
  writeFileSync(join(tools, "git"), script);
  chmodSync(join(tools, "git"), 0o755);
  writeFileSync(log, "");
  const env = { ...folder.env, PATH: `${tools}:${folder.env.PATH}` };
  const starts = (command: string) =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes(` ${command} `) || line.endsWith(` ${command}`));
  const open = async () => {
    const repository = await Repository.open(folder.path, { env });
    onTestFinished(() => repository.close());
    return repository;
  };
  return { starts, open };
}

describe("what git said about objects by their ids", () => {
  test("is asked once, also by others who open the same repository", async () => {
    const folder = new GitFolder();
    const base = folder.commit({ "a.txt": "one\n" });
    const head = folder.commit({ "a.txt": "two\n", "b.txt": "b\n" });
    const { starts, open } = counted(folder);
    const seen = [];
    for (const repository of [await open(), await open()]) {
      for (let round = 0; round < 2; round += 1) {
        const changes = await all(repository.changedFiles(base, head));
        const files = await all(repository.listTree(head));
        const facts = await repository.commitFacts(head);
        seen.push({ changes, files, facts, commit: await repository.resolveCommit(head) });
      }
    }
    expect(seen[0]?.changes.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(seen[0]?.files.length).toBe(2);
    expect(seen[0]?.commit).toBe(head);
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(starts("ls-tree").length).toBe(1);
    expect(starts("--numstat").length).toBe(1);
    expect(starts("log").length).toBe(0);
    expect(starts("--batch").length).toBe(1);
  });

  test("is asked again where git had failed, and where the answer was not read to its end", async () => {
    const folder = new GitFolder();
    folder.commit({ "a.txt": "a\n", "b.txt": "b\n" });
    const other = new GitFolder();
    const missing = other.commit({ "elsewhere.txt": "e\n" });
    const { starts, open } = counted(folder);
    const repository = await open();
    await expect(all(repository.listTree(missing))).rejects.toThrow("git ls-tree failed");
    await expect(repository.resolveCommit(missing)).rejects.toThrow("no commit is called");
    folder.git("fetch", "--quiet", other.path, "main");
    for await (const _ of repository.listTree(missing)) break;
    expect((await all(repository.listTree(missing))).map(({ path }) => path)).toEqual([
      "elsewhere.txt",
    ]);
    expect(await repository.resolveCommit(missing)).toBe(missing);
    expect(starts("ls-tree").length).toBeGreaterThan(1);
  });

  test("is never taken for what can change: names, the index and the files", async () => {
    const folder = new GitFolder();
    folder.commit({ "a.txt": "a\n" });
    const { open } = counted(folder);
    const repository = await open();
    const first = await repository.resolveCommit("HEAD");
    expect(await repository.uncommittedFiles()).toEqual([]);
    folder.write("new.txt", "new\n");
    expect(await repository.uncommittedFiles()).toEqual(["new.txt"]);
    const second = folder.commit();
    expect(second).not.toBe(first);
    expect(await repository.resolveCommit("HEAD")).toBe(second);
    const tree = await repository.openRunTree({
      folder: temporaryFolder(),
      commit: second,
      env: folder.env,
    });
    expect((await tree.save("refs/sworn/runs/a", "nothing")).changed).toEqual([]);
    writeFileSync(join(tree.folder, "work.txt"), "work\n");
    expect((await tree.save("refs/sworn/runs/b", "work")).changed).toEqual([
      { path: "work.txt", how: "added" },
    ]);
    tree.remove();
  });

  test("of a tag leads to its commit, and never makes the tag one", async () => {
    const folder = new GitFolder();
    const head = folder.commit({ "a.txt": "a\n" });
    folder.git("tag", "--annotate", "--message", "t", "t");
    const tag = folder.git("rev-parse", "t");
    const repository = await folder.open();
    for (let round = 0; round < 2; round += 1) {
      expect(await repository.resolveCommit(tag)).toBe(head);
      await expect(repository.commitFacts(tag)).rejects.toThrow("does not say what commit");
    }
  });
});

describe("the memory of a store", () => {
  const listing = (at: number) => ["ls-tree", "-r", at.toString(16).padStart(40, "0")];

  test("keeps no answer of a command that could say something else the next time", () => {
    const memory = ObjectMemory.of(temporaryFolder());
    for (const args of [["status"], ["diff-index", ID], ["log", ID], ["rev-parse", ID], []]) {
      memory.keep(args, Buffer.alloc(0));
      expect(memory.answer(args)).toBeUndefined();
    }
    memory.keep(listing(1), Buffer.alloc(0));
    expect(memory.answer(listing(1))).toEqual(Buffer.alloc(0));
    expect(memory.answer(listing(2))).toBeUndefined();
  });

  test("keeps no long answer, and none that tells of an object that is not there", () => {
    const memory = ObjectMemory.of(temporaryFolder());
    memory.keep(listing(1), Buffer.alloc((256 << 10) + 1));
    memory.keep(listing(2), Buffer.from(`100644 blob ${ID}     BAD\ta.txt\0`));
    expect(memory.answer(listing(1))).toBeUndefined();
    expect(memory.answer(listing(2))).toBeUndefined();
  });

  test("is bounded: the oldest answers and stores go", () => {
    const place = temporaryFolder();
    const memory = ObjectMemory.of(place);
    const many = 100;
    for (let at = 0; at < many; at += 1) memory.keep(listing(at), Buffer.alloc(200 << 10));
    const kept = Array.from({ length: many }, (_, at) => memory.answer(listing(at))).filter(
      Boolean,
    );
    expect(kept.length * (200 << 10)).toBeLessThanOrEqual(8 << 20);
    expect(memory.answer(listing(many - 1))).toBeDefined();
    expect(ObjectMemory.of(place)).toBe(memory);
    for (let at = 0; at < 8; at += 1) ObjectMemory.of(join(place, `${at}`));
    expect(ObjectMemory.of(place)).not.toBe(memory);
  });
});

describe("the process that contents are read through", () => {
  test("is used by the next reader, which cannot be asked through the one before", async () => {
    const { starts, repository, blob } = await withBlob();
    const first = repository.openBlobs();
    expect(await first.read(blob)).toMatchObject({ state: "content" });
    await first.close();
    const second = repository.openBlobs();
    expect(await second.read(blob)).toMatchObject({ state: "content" });
    await expect(first.read(blob)).rejects.toThrow("the reader was closed");
    await first.close();
    expect(await second.read(blob)).toMatchObject({ state: "content" });
    // A third one at the same time has a process of its own, and so has one with another bound.
    const third = repository.openBlobs();
    const narrow = repository.openBlobs({ bytesMax: 1 });
    expect(await third.read(blob)).toMatchObject({ state: "content" });
    expect(await narrow.read(blob)).toMatchObject({ state: "too-large" });
    expect(starts("cat-file").length).toBe(3);
    await Promise.all([second.close(), third.close(), narrow.close()]);
  });

  test("is ended when somebody still waits for it, when it died, and with the repository", async () => {
    const { starts, repository, blob } = await withBlob();
    const first = repository.openBlobs();
    while (starts("cat-file").length === 0) await wait(5);
    const late = first.read(blob);
    await Promise.all([expect(late).rejects.toThrow("the reader was closed"), first.close()]);
    const second = repository.openBlobs();
    await second.read(blob);
    await second.close();
    const pid = () => Number(starts("cat-file").at(-1)?.split(" ")[0]);
    process.kill(pid(), "SIGKILL");
    while (existsSync(`/proc/${pid()}`)) await wait(5);
    // Its end is told with the next turns of the event loop.
    await wait(50);
    const third = repository.openBlobs();
    expect(await third.read(blob)).toMatchObject({ state: "content" });
    expect(starts("cat-file").length).toBe(3);
    await third.close();
    repository.close();
    while (existsSync(`/proc/${pid()}`)) await wait(5);
  });
});
