import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Git } from "../../src/repo/git.ts";
import { References } from "../../src/repo/references.ts";
import { GitFolder } from "./git-folder.ts";

function open(folder: GitFolder, signal?: AbortSignal): { git: Git; names: References } {
  const git = new Git({ folder: folder.path, env: folder.env, signal });
  const names = new References(git);
  onTestFinished(() => names.close());
  return { git, names };
}

test("what a name means is what it means now, also after it moved, was packed and removed", async () => {
  const folder = new GitFolder();
  const { names } = open(folder);
  expect(await names.commitCalled("HEAD")).toBeUndefined();
  const first = folder.commit();
  expect(await names.commitCalled("HEAD")).toBe(first);
  const second = folder.commit();
  folder.git("pack-refs", "--all", "--prune");
  folder.git("gc", "--quiet", "--prune=now");
  expect(await names.commitCalled("main")).toBe(second);
  folder.git("branch", "other", first);
  expect(await names.commitCalled("other")).toBe(first);
  folder.git("branch", "--delete", "--force", "other");
  expect(await names.commitCalled("other")).toBeUndefined();
});

test("all that is asked starts git once for names and once for changes", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { git, names } = open(folder);
  const start = vi.spyOn(git, "start");
  for (let at = 0; at < 5; at += 1) {
    expect(await names.commitCalled("HEAD")).toBe(commit);
    await names.point(`refs/sworn/runs/${at}`, commit);
  }
  expect(await Promise.all(["main", "none", "HEAD"].map((one) => names.commitCalled(one)))).toEqual(
    [commit, undefined, commit],
  );
  expect(start).toHaveBeenCalledTimes(2);
  expect(folder.git("for-each-ref", "refs/sworn").split("\n")).toHaveLength(5);
});

test("a name that looks like an answer is none", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { names } = open(folder);
  expect(await names.commitCalled(`${commit} commit 5`)).toBeUndefined();
  expect(await names.commitCalled(`main ${commit} commit 5`)).toBeUndefined();
  await expect(names.commitCalled(`main\n${commit}`)).rejects.toThrow("one line");
  expect(await names.commitCalled("main")).toBe(commit);
});

test("a commit is read to its end, whatever it says, and what it says of itself is what git says", async () => {
  const folder = new GitFolder();
  const tree = folder.git("write-tree");
  const says = [
    "",
    "\n\n\n",
    "tree 1\n\ncommitter x <> 5 +0000\n",
    "ö\n".repeat(50_000),
    "x".repeat(99),
  ];
  const { names } = open(folder);
  for (const [at, message] of says.entries()) {
    const head = `tree ${tree}\nauthor A <a@b> 17 +0000\ncommitter A > <a@b> ${1_000 + at} -0130\n`;
    const id = stored(folder, `${head}\n${message}`);
    const found = { id, facts: { tree, seconds: 1_000 + at } };
    expect(await names.findCommit(id)).toEqual(found);
    expect(folder.git("log", "-1", "--format=%T %ct", id)).toBe(`${tree} ${1_000 + at}`);
  }
  const odd = stored(folder, `tree ${tree}\n\ncommitter A <a@b> 5 +0000\n`);
  expect(await names.findCommit(odd)).toEqual({ id: odd, facts: undefined });
  const bare = stored(folder, `tree ${tree}\nauthor A <a@b> 17 +0000\ncommitter A <a@b> 5 +0000`);
  expect(await names.findCommit(bare)).toEqual({ id: bare, facts: { tree, seconds: 5 } });
});

test("a commit of any length and any damage keeps nobody from being answered", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { names } = open(folder);
  const tree = folder.git("write-tree");
  const head = `tree ${tree}\nauthor A <a> 1 +0000\ncommitter A <a> 7 +0000\n\n`;
  const long = stored(folder, head + "long\n".repeat(1_000_000));
  const damaged = stored(folder, `${head}damaged`);
  const object = join(folder.path, ".git/objects", damaged.slice(0, 2), damaged.slice(2));
  chmodSync(object, 0o644);
  writeFileSync(object, "garbage");
  folder.write(".git/refs/remotes/origin/HEAD", `${damaged}\n`);
  const asked = ["HEAD", "none", "origin/HEAD", long, "main"];
  expect(await Promise.all(asked.map((name) => names.commitCalled(name)))).toEqual([
    commit,
    undefined,
    undefined,
    long,
    commit,
  ]);
  const repository = await folder.open();
  expect(await repository.commitFacts(long)).toEqual({ tree, seconds: 7 });
  expect((await repository.findBase(commit)).how).toContain("first commit");
});

test("a git that was killed is missed by no question", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { names } = open(folder);
  for (let time = 0; time < 3; time += 1) {
    expect(await names.commitCalled("HEAD")).toBe(commit);
    for (const pid of gitsBelow(process.pid)) process.kill(pid, "SIGKILL");
    expect(await names.commitCalled("HEAD")).toBe(commit);
  }
});

/** A commit with exactly these bytes, as nobody's git would make it. */
function stored(folder: GitFolder, bytes: string): string {
  const path = join(folder.home, "commit");
  writeFileSync(path, bytes);
  return folder.git("hash-object", "-t", "commit", "-w", "--literally", path);
}

test("what cannot be pointed at is said, nothing moves, and the next change is made", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { names } = open(folder);
  const none = "1".repeat(40);
  await expect(names.point("refs/sworn/runs/a", none)).rejects.toMatchObject({
    code: "STORE_UNREADABLE",
    message: expect.stringMatching(/update-ref failed: .*nonexistent object/),
  });
  await names.point("refs/sworn/runs/b", commit);
  expect(folder.git("for-each-ref", "--format=%(refname)", "refs/sworn")).toBe("refs/sworn/runs/b");
  await expect(names.point("refs/heads/main", commit)).rejects.toThrow("one of ours");
});

test("of changes that are asked for at once, each is made or said to have failed by itself", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { names } = open(folder);
  const wanted = Array.from({ length: 20 }, (_, at) => (at % 4 === 1 ? "2".repeat(40) : commit));
  const told = await Promise.allSettled(
    wanted.map((id, at) => names.point(`refs/sworn/runs/${at}`, id)),
  );
  expect(told.map(({ status }) => status === "fulfilled")).toEqual(
    wanted.map((id) => id === commit),
  );
  expect(folder.git("for-each-ref", "refs/sworn").split("\n")).toHaveLength(15);
});

test("a git that was killed is started again", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  const { names } = open(folder);
  expect(await names.commitCalled("HEAD")).toBe(commit);
  await names.point("refs/sworn/runs/a", commit);
  for (const pid of gitsBelow(process.pid)) process.kill(pid, "SIGKILL");
  await vi.waitFor(async () => expect(await names.commitCalled("HEAD")).toBe(commit));
  await names.point("refs/sworn/runs/b", commit);
  expect(folder.git("for-each-ref", "refs/sworn").split("\n")).toHaveLength(2);
});

test("whoever calls it off hears that, and no git is left when it is closed", async () => {
  const folder = new GitFolder();
  const commit = folder.commit();
  // Those of other tests are still about to end.
  await vi.waitFor(() => expect(gitsBelow(process.pid)).toEqual([]));
  const stop = new AbortController();
  const { names } = open(folder, stop.signal);
  await names.commitCalled("HEAD");
  await names.point("refs/sworn/runs/a", commit);
  expect(gitsBelow(process.pid)).toHaveLength(2);
  names.close();
  await vi.waitFor(() => expect(gitsBelow(process.pid)).toEqual([]));
  await names.commitCalled("HEAD");
  for (const pid of gitsBelow(process.pid)) process.kill(pid, "SIGSTOP");
  const asked = names.commitCalled("HEAD");
  stop.abort(new Error("called off"));
  await expect(asked).rejects.toThrow("called off");
  await expect(names.commitCalled("HEAD")).rejects.toThrow("called off");
});

test("a process that has asked ends by itself", () => {
  const folder = new GitFolder();
  folder.commit();
  const script = `
    import { Repository } from ${JSON.stringify(new URL("../../dist/repo/index.js", import.meta.url).href)};
    const repository = await Repository.open(${JSON.stringify(folder.path)}, { env: process.env });
    console.log(await repository.resolveCommit("HEAD"));
  `;
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(said.trim()).toBe(folder.git("rev-parse", "HEAD"));
});

/** The gits that a process of ours has running. */
function gitsBelow(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const children = readFileSync(join(`/proc/${pid}/task`, task, "children"), "utf8");
    return children
      .trim()
      .split(" ")
      .filter((child) => child !== "" && isGit(child))
      .map(Number);
  });
}

function isGit(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "git";
  } catch {
    // It has just ended.
    return false;
  }
}
