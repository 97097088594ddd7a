import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Repository } from "../../src/repo/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { all, GitFolder } from "./git-folder.ts";

test("a repository is found from a folder inside it", async () => {
  const folder = new GitFolder();
  folder.commit({ "deep/er/file.txt": "x\n" });
  const repository = await Repository.open(join(folder.path, "deep/er"), { env: folder.env });
  expect(repository.root).toBe(realpathSync(folder.path));
  expect(repository).toMatchObject({ isBare: false, isShallow: false, format: "sha1" });
  repository.close();
});

test("closing leaves no temporary folder behind", async () => {
  const folder = new GitFolder();
  folder.commit();
  const env = { ...folder.env, TMPDIR: folder.home };
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder.home;
  try {
    const repository = await Repository.open(folder.path, { env });
    const made = () => execFileSync("ls", [folder.home], { encoding: "utf8" });
    expect(made()).toContain("sworn-git-");
    repository.close();
    expect(made()).not.toContain("sworn-git-");
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

test("a folder without a repository, and no folder at all, are told apart in words", async () => {
  const folder = temporaryFolder();
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    GIT_CEILING_DIRECTORIES: join(folder, ".."),
  };
  await expect(Repository.open(folder, { env })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("is not in a git repository"),
  });
  await expect(Repository.open(join(folder, "none"), { env })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("is not a folder"),
  });
});

test("without git on the path, the message says that git is missing", async () => {
  const folder = new GitFolder();
  const env = { PATH: folder.home, HOME: folder.home };
  await expect(Repository.open(folder.path, { env })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("git was not found"),
  });
});

test("a bare repository can be read", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  folder.git("clone", "--quiet", "--bare", ".", "../bare.git");
  const repository = await Repository.open(join(folder.home, "bare.git"), { env: folder.env });
  expect(repository.isBare).toBe(true);
  expect(repository.root).toBe(realpathSync(join(folder.home, "bare.git")));
  expect((await all(repository.listTree(head))).map(({ path }) => path)).toEqual(["a.txt"]);
  repository.close();
});

test("a repository with SHA-256 ids can be read", async () => {
  const folder = new GitFolder(["--object-format=sha256"]);
  const first = folder.commit({ "a.txt": "one\n" });
  const head = folder.commit({ "a.txt": "one\ntwo\n" });
  const repository = await folder.open();
  expect(repository.format).toBe("sha256");
  const changed = await all(repository.changedFiles(first, head));
  expect(changed).toMatchObject([{ path: "a.txt", added: 1, ranges: [{ from: 2, to: 2 }] }]);
  const reader = repository.openBlobs();
  const content = await reader.read(changed[0]?.blob ?? "");
  expect(content).toEqual({ state: "content", bytes: Buffer.from("one\ntwo\n") });
  await reader.close();
});

test("objects are found whatever stands in the name of the repository's folder", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const odd = join(folder.home, 'od"d\n:näme\\');
  folder.git("clone", "--quiet", ".", odd);
  const repository = await Repository.open(odd, { env: folder.env });
  expect(await repository.blobAt(head, "a.txt")).toMatchObject({ path: "a.txt", size: 2 });
  repository.close();
});

test("another work tree of the same repository is its own root", async () => {
  const folder = new GitFolder();
  folder.commit({ "a.txt": "a\n" });
  folder.git("worktree", "add", "--quiet", "../second", "-b", "second");
  const second = join(folder.home, "second");
  const repository = await Repository.open(second, { env: folder.env });
  expect(repository.root).toBe(realpathSync(second));
  writeFileSync(join(second, "staged.txt"), "s\n");
  execFileSync("git", ["add", "staged.txt"], { cwd: second, env: folder.env });
  const tree = await repository.stagedTree();
  const paths = (await all(repository.listTree(tree))).map(({ path }) => path);
  expect(paths).toEqual(["a.txt", "staged.txt"]);
  repository.close();
});

test("git's refusal to read another user's repository is passed on with the way out", async () => {
  const folder = new GitFolder();
  folder.commit();
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const bin = join(folder.home, "bin");
  mkdirSync(bin);
  // Git's own switch for its tests: it behaves as if the folder belonged to somebody else.
  const script = `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${git} "$@"\n`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...folder.env, PATH: bin };
  await expect(Repository.open(folder.path, { env })).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining("git config --global --add safe.directory"),
  });
});

test("a repository that claims a folder elsewhere as its work tree is refused", async () => {
  const folder = new GitFolder();
  folder.commit();
  mkdirSync(join(folder.home, "elsewhere"));
  folder.git("config", "core.worktree", join(folder.home, "elsewhere"));
  await expect(Repository.open(folder.path, { env: folder.env })).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringContaining("core.worktree"),
  });
});

test("git's variables in the caller's environment do not redirect us", async () => {
  const [folder, other] = [new GitFolder(), new GitFolder()];
  const head = folder.commit({ "mine.txt": "m\n" });
  other.commit({ "other.txt": "o\n" });
  const env = {
    ...folder.env,
    GIT_DIR: join(other.path, ".git"),
    GIT_WORK_TREE: other.path,
    GIT_OBJECT_DIRECTORY: join(other.path, ".git/objects"),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.worktree",
    GIT_CONFIG_VALUE_0: other.path,
  };
  const repository = await Repository.open(folder.path, { env });
  expect(repository.root).toBe(realpathSync(folder.path));
  expect(await repository.resolveCommit("HEAD")).toBe(head);
  repository.close();
});

test("work that was called off throws the signal's reason and starts nothing more", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const off = new AbortController();
  const repository = await folder.open(off.signal);
  const reader = repository.openBlobs();
  const blob = (await repository.blobAt(head, "a.txt"))?.blob ?? "";
  await reader.read(blob);
  off.abort(new Error("stopped by the user"));
  await expect(reader.read(blob)).rejects.toThrow("stopped by the user");
  await expect(all(repository.listTree(head))).rejects.toThrow("stopped by the user");
  await reader.close();
});

test("a damaged repository is an error and not an empty answer", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const repository = await folder.open();
  rmSync(join(folder.path, ".git/objects"), { recursive: true });
  mkdirSync(join(folder.path, ".git/objects"));
  await expect(all(repository.listTree(head))).rejects.toMatchObject({ code: "STORE_UNREADABLE" });
  await expect(all(repository.changedFiles(head, head.replace(/./, "0")))).rejects.toMatchObject({
    code: "STORE_UNREADABLE",
  });
  expect(existsSync(folder.path)).toBe(true);
});
