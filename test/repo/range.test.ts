import { join } from "node:path";
import { expect, test } from "vitest";
import { Repository } from "../../src/repo/index.ts";
import { all, GitFolder } from "./git-folder.ts";

test("before the first commit, the message says so", async () => {
  const repository = await new GitFolder().open();
  await expect(repository.resolveRange()).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "the repository has no commits yet",
  });
});

test("names of commits resolve, and what could be an option or two lines does not", async () => {
  const folder = new GitFolder();
  const first = folder.commit();
  folder.git("tag", "-a", "v1", "-m", "tag");
  const second = folder.commit();
  const repository = await folder.open();
  expect(await repository.resolveCommit("v1")).toBe(first);
  expect(await repository.resolveCommit("HEAD~1")).toBe(first);
  expect(await repository.resolveCommit(second.slice(0, 10))).toBe(second);
  for (const name of ["", "--all", "-h", "HEAD\n--all", "x".repeat(2_000)]) {
    await expect(repository.resolveCommit(name)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
  for (const name of ["nobody", "HEAD^{tree}", "HEAD..v1", "deadbeef"]) {
    await expect(repository.resolveCommit(name)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("a feature branch is compared with where it left main", async () => {
  const folder = new GitFolder();
  const fork = folder.commit();
  folder.git("switch", "--quiet", "-c", "feature");
  const head = folder.commit();
  folder.git("switch", "--quiet", "main");
  folder.commit();
  folder.git("switch", "--quiet", "feature");
  const repository = await folder.open();
  expect(await repository.resolveRange()).toEqual({
    head,
    base: { commit: fork, tree: fork, how: "where it parted from main" },
  });
});

test("the remote's default branch comes before main, under whatever name", async () => {
  const folder = new GitFolder();
  folder.commit();
  const fork = folder.commit();
  folder.git("update-ref", "refs/remotes/origin/trunk", fork);
  folder.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
  folder.git("branch", "master", "HEAD~1");
  const head = folder.commit();
  const repository = await folder.open();
  expect((await repository.findBase(head)).commit).toBe(fork);
  expect((await repository.findBase(head)).how).toBe("where it parted from origin/HEAD");
});

test("on main itself the commit before is the base", async () => {
  const folder = new GitFolder();
  const first = folder.commit();
  const head = folder.commit();
  const base = await (await folder.open()).findBase(head);
  expect(base.commit).toBe(first);
  expect(base.how).toBe("the commit before it, because main already contains it");
});

test("a branch is compared with main from main too, and whole", async () => {
  const folder = new GitFolder();
  const fork = folder.commit();
  folder.git("switch", "--quiet", "-c", "feature");
  folder.commit();
  const head = folder.commit();
  folder.git("switch", "--quiet", "main");
  const repository = await folder.open();
  const base = { commit: fork, tree: fork, how: "where it parted from main" };
  expect(await repository.resolveRange("feature")).toEqual({ head, base });
  expect(await repository.findBase(head)).toEqual(base);
});

test("without a main branch the commit before is the base", async () => {
  const folder = new GitFolder();
  const first = folder.commit();
  const head = folder.commit();
  folder.git("branch", "--move", "work");
  const base = await (await folder.open()).findBase(head);
  expect(base.commit).toBe(first);
  expect(base.how).toBe("the commit before it, because there is no main branch to compare with");
});

test("a commit that main already contains is compared with the one before it", async () => {
  const folder = new GitFolder();
  const first = folder.commit();
  const second = folder.commit();
  folder.commit();
  folder.git("switch", "--quiet", "-c", "old", second);
  const base = await (await folder.open()).findBase(second);
  expect(base.commit).toBe(first);
  expect(base.how).toBe("the commit before it, because main already contains it");
});

test("the first commit is compared with nothing", async () => {
  const folder = new GitFolder();
  const head = folder.commit({ "a.txt": "a\n" });
  const repository = await folder.open();
  const base = await repository.findBase(head);
  expect(base.commit).toBe(null);
  expect(base.how).toContain("the first commit");
  const changed = await all(repository.changedFiles(base.tree, head));
  expect(changed).toMatchObject([{ path: "a.txt", status: "added" }]);
});

test("a shallow clone is known as such, and the words say where history ends", async () => {
  const folder = new GitFolder();
  folder.commit({ "a.txt": "a\n" });
  const head = folder.commit({ "b.txt": "b\n" });
  folder.git("clone", "--quiet", "--depth=1", `file://${folder.path}`, "../shallow");
  const path = join(folder.home, "shallow");
  const repository = await Repository.open(path, { env: folder.env });
  expect(repository.isShallow).toBe(true);
  const base = await repository.findBase(head);
  expect(base.commit).toBe(null);
  expect(base.how).toContain("git fetch --unshallow");
  repository.close();
});

test("two and three dots, with either side left out", async () => {
  const folder = new GitFolder();
  const fork = folder.commit();
  folder.git("switch", "--quiet", "-c", "feature");
  const head = folder.commit();
  folder.git("switch", "--quiet", "main");
  const main = folder.commit();
  const repository = await folder.open();
  const short = async (spec: string) => {
    const { base, head } = await repository.resolveRange(spec);
    return [base.commit, head];
  };
  expect(await short("main..feature")).toEqual([main, head]);
  expect(await short("main...feature")).toEqual([fork, head]);
  expect(await short("feature..")).toEqual([head, main]);
  expect(await short("..feature")).toEqual([main, head]);
  expect(await short("feature")).toEqual([fork, head]);
});

test("histories without a common commit have no common base", async () => {
  const folder = new GitFolder();
  folder.commit();
  folder.git("switch", "--quiet", "--orphan", "island");
  const head = folder.commit({ "a.txt": "a\n" });
  const repository = await folder.open();
  await expect(repository.resolveRange("main...island")).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "main and island have no common commit",
  });
  expect((await repository.findBase(head)).how).toContain("the first commit");
});

test("the head of a pull request is found under the usual names", async () => {
  const folder = new GitFolder();
  const first = folder.commit();
  const second = folder.commit();
  folder.git("update-ref", "refs/pull/7/head", first);
  folder.git("update-ref", "refs/remotes/upstream/pr/8", second);
  folder.git("update-ref", "refs/merge-requests/9/head", first);
  const repository = await folder.open();
  expect(await repository.pullRequestHead(7)).toEqual({ commit: first, ref: "refs/pull/7/head" });
  expect((await repository.pullRequestHead(8)).commit).toBe(second);
  expect((await repository.pullRequestHead(9)).commit).toBe(first);
});

test("a pull request that was not fetched names the command that fetches it", async () => {
  const folder = new GitFolder();
  folder.commit();
  const repository = await folder.open();
  await expect(repository.pullRequestHead(70)).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("git fetch origin pull/70/head:refs/pull/70/head"),
  });
  for (const number of [0, -1, 1.5, Number.NaN, 1e12]) {
    await expect(repository.pullRequestHead(number)).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  }
});
