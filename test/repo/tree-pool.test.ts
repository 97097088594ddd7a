import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Git } from "../../src/repo/git.ts";
import { Repository } from "../../src/repo/index.ts";
import { isClockSteady, momentAfter } from "../../src/repo/untouched.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { GitFolder } from "./git-folder.ts";

const FILES = {
  ".gitignore": "ignored/\n",
  "top.txt": "top\n",
  "src/a.js": "one\n",
  "src/deep/b.js": "two\n",
  "docs/c.md": "three\n",
};

/** A repository whose trees are opened one after the other, as runs do. */
async function scene() {
  const project = new GitFolder();
  const base = project.commit(FILES);
  const repository = await Repository.open(project.path, { env: project.env });
  onTestFinished(() => repository.close());
  const open = async (commit = base, keeps?: string) => {
    const folder = join(temporaryFolder(), "tree");
    mkdirSync(folder, { mode: 0o700 });
    return repository.openRunTree({ folder, commit, env: project.env, keeps });
  };
  return { project, base, repository, open };
}

/** Everything about a tree that a later run could notice. */
function seen(folder: string): string[] {
  return [...partsOf(folder), attributesIn(folder)];
}

function partsOf(folder: string, path = ""): string[] {
  const full = join(folder, path);
  const found = lstatSync(full);
  const what = `${path} ${found.mode.toString(8)} ${found.isFile() ? found.nlink : ""}`;
  if (found.isSymbolicLink()) return [`${what} -> ${readlinkSync(full)}`];
  if (found.isFile()) return [`${what} ${readFileSync(full, "utf8")}`];
  const below = found.isDirectory() ? readdirSync(full).toSorted() : [];
  return [what, ...below.flatMap((one) => partsOf(folder, join(path, one)))];
}

function attributesIn(folder: string): string {
  const program = `
import os, sys
tops = [(top, [""] + names) for top, _, names in os.walk(sys.argv[1])]
paths = [os.path.join(top, name) for top, names in tops for name in names]
print(sorted((path, os.listxattr(path, follow_symlinks=False)) for path in paths if os.listxattr(path, follow_symlinks=False)))`;
  return execFileSync("python3", ["-c", program, folder], { encoding: "utf8" }).trim();
}

function setAttribute(path: string): void {
  const program = "import os, sys; os.setxattr(sys.argv[1], 'user.note', b'for you')";
  execFileSync("python3", ["-c", program, path]);
}

const inodeOf = (folder: string, path: string) => lstatSync(join(folder, path)).ino;

test("what a run has not touched is used again, also for another commit", async () => {
  const { project, open } = await scene();
  const first = await open();
  const before = inodeOf(first.folder, "src/a.js");
  first.remove();
  expect(existsSync(first.folder)).toBe(false);
  const other = project.commit({ "docs/c.md": "changed\n", "docs/new.md": "new\n" });
  const second = await open(other);
  expect(inodeOf(second.folder, "src/a.js")).toBe(before);
  expect(readFileSync(join(second.folder, "docs/c.md"), "utf8")).toBe("changed\n");
  expect(readFileSync(join(second.folder, "docs/new.md"), "utf8")).toBe("new\n");
  expect(await second.save("refs/sworn/runs/two", "nothing")).toMatchObject({ changed: [] });
  second.remove();
  const third = await open();
  expect(inodeOf(third.folder, "src/a.js")).toBe(before);
  expect(existsSync(join(third.folder, "docs/new.md"))).toBe(false);
});

/** What one run can do to its tree so that another one would meet it. */
const DEEDS: Readonly<Record<string, (folder: string) => void>> = {
  "another content of the same length, dated back": (folder) => {
    const path = join(folder, "src/a.js");
    const { atime, mtime } = lstatSync(path);
    writeFileSync(path, "bad\n");
    utimesSync(path, atime, mtime);
  },
  "other rights of a file": (folder) => chmodSync(join(folder, "src/a.js"), 0o777),
  "other rights of a folder": (folder) => chmodSync(join(folder, "src/deep"), 0o777),
  "other rights of the whole": (folder) => chmodSync(folder, 0o777),
  "an attribute of a file": (folder) => setAttribute(join(folder, "src/a.js")),
  "an attribute of a folder": (folder) => setAttribute(join(folder, "src/deep")),
  "an attribute of the whole": (folder) => setAttribute(folder),
  "a second name": (folder) => linkSync(join(folder, "src/a.js"), join(folder, "second.js")),
  "a second name, gone again": (folder) => {
    linkSync(join(folder, "src/a.js"), join(folder, "second.js"));
    rmSync(join(folder, "second.js"));
  },
  "a file more": (folder) => writeFileSync(join(folder, "src/deep/more.js"), "more\n"),
  "a file that git ignores": (folder) => {
    mkdirSync(join(folder, "ignored"));
    writeFileSync(join(folder, "ignored/x"), "x\n");
  },
  "a file less": (folder) => rmSync(join(folder, "docs/c.md")),
  "a folder less": (folder) => rmSync(join(folder, "src"), { recursive: true }),
  "an empty folder": (folder) => mkdirSync(join(folder, "src/empty")),
  "another file under its name": (folder) => {
    writeFileSync(join(folder, "new"), "bad\n");
    renameSync(join(folder, "new"), join(folder, "src/a.js"));
  },
  "two files that changed places": (folder) => {
    renameSync(join(folder, "src/a.js"), join(folder, "x"));
    renameSync(join(folder, "src/deep/b.js"), join(folder, "src/a.js"));
    renameSync(join(folder, "x"), join(folder, "src/deep/b.js"));
  },
  "a link to elsewhere in a folder's place": (folder) => {
    rmSync(join(folder, "src"), { recursive: true });
    symlinkSync("/etc", join(folder, "src"));
  },
  "a repository": (folder) => {
    execFileSync("git", ["init", "--quiet"], { cwd: join(folder, "src") });
    writeFileSync(join(folder, "src/.git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  },
  "a pipe": (folder) => void execFileSync("mkfifo", [join(folder, "src/pipe")]),
};

test.for(Object.entries(DEEDS))("%s is met by no other run", async ([, deed]) => {
  const { repository, project, base, open } = await scene();
  const fresh = seen((await open()).folder);
  for (const isSaved of [true, false]) {
    const tree = await open();
    deed(tree.folder);
    if (isSaved) await tree.save("refs/sworn/runs/one", "what it left");
    tree.remove();
    const next = await open();
    expect(seen(next.folder)).toEqual(fresh);
    const saved = await next.save("refs/sworn/runs/next", "nothing");
    expect(saved).toEqual({
      commit: base,
      changed: [],
      ignored: [],
      nested: [],
      isUntouched: true,
    });
    next.remove();
  }
  expect(repository.root).toBe(project.path);
});

test("nothing that a run wrote is overlooked, however it wrote it", async () => {
  const { project, open } = await scene();
  const inMemory = (path: string) => {
    const program =
      "import mmap, sys; f = open(sys.argv[1], 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:3] = b'bad'; m.flush()";
    execFileSync("python3", ["-c", program, path]);
  };
  const ways: Readonly<Record<string, (path: string) => void>> = {
    "in memory": inMemory,
    "in memory, dated back": (path) => {
      const { atime, mtime } = lstatSync(path);
      inMemory(path);
      utimesSync(path, atime, mtime);
    },
    "of the same length, dated back": (path) => {
      const { atime, mtime } = lstatSync(path);
      writeFileSync(path, "bad\n");
      utimesSync(path, atime, mtime);
    },
    "by the rights alone": (path) => chmodSync(path, 0o755),
  };
  for (const [name, write] of Object.entries(ways)) {
    const tree = await open();
    write(join(tree.folder, "src/a.js"));
    const saved = await tree.save("refs/sworn/runs/one", name);
    expect([name, saved.changed]).toEqual([name, [{ path: "src/a.js", how: "modified" }]]);
    expect(project.git("rev-parse", "refs/sworn/runs/one")).toBe(saved.commit);
    tree.remove();
  }
});

test("on a file system that does not date what is written through memory, everything is looked at", async () => {
  // Unlike on a disk, a page that was read before can be written without a trace.
  const memory = mkdtempSync("/dev/shm/sworn-test-");
  vi.stubEnv("TMPDIR", memory);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(memory, { recursive: true, force: true });
  });
  const { open } = await scene();
  const program =
    "import mmap, sys; f = open(sys.argv[1], 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0]; m[0:3] = b'bad'";
  for (let time = 0; time < 2; time += 1) {
    const tree = await open();
    const path = join(tree.folder, "src/a.js");
    expect(readFileSync(path, "utf8")).toBe("one\n");
    const before = lstatSync(path, { bigint: true }).ctimeNs;
    execFileSync("python3", ["-c", program, path]);
    expect(readFileSync(path, "utf8")).toBe("bad\n");
    expect(lstatSync(path, { bigint: true }).ctimeNs).toBe(before);
    const saved = await tree.save("refs/sworn/runs/one", "in memory");
    expect(saved).toMatchObject({ changed: [{ path: "src/a.js", how: "modified" }] });
    tree.remove();
  }
});

test("what a run has not touched is saved without a git that looks at it, also where it lay ready", async () => {
  const { base, project, open } = await scene();
  for (let time = 0; time < 2; time += 1) {
    const tree = await open();
    const start = vi.spyOn(Git.prototype, "stream");
    const saved = await tree.save("refs/sworn/runs/one", "nothing");
    expect(start).not.toHaveBeenCalled();
    start.mockRestore();
    expect(saved).toEqual({
      commit: base,
      changed: [],
      ignored: [],
      nested: [],
      isUntouched: true,
    });
    expect(project.git("rev-parse", "refs/sworn/runs/one")).toBe(base);
    tree.remove();
  }
});

test("what was laid into a tree before its run is not taken for the commit's", async () => {
  const { open } = await scene();
  const tree = await open();
  // At once: no tick of any clock lies between.
  writeFileSync(join(tree.folder, "src/a.js"), "old\n");
  tree.remove();
  const next = await open();
  expect(readFileSync(join(next.folder, "src/a.js"), "utf8")).toBe("one\n");
});

test("the folder that a run was to keep is not there for one that has none", async () => {
  const { open } = await scene();
  const tree = await open(undefined, "src/staged");
  writeFileSync(join(tree.folder, "src/staged/x"), "x\n");
  await tree.save("refs/sworn/runs/one", "kept");
  tree.remove();
  const next = await open();
  expect(readdirSync(join(next.folder, "src"))).toEqual(["a.js", "deep"]);
  expect(await next.save("refs/sworn/runs/two", "nothing")).toMatchObject({ changed: [] });
});

test("a tree that is removed twice takes nothing from whoever has its files by then", async () => {
  const { open } = await scene();
  const tree = await open();
  tree.remove();
  const next = await open();
  tree.remove();
  expect(await next.save("refs/sworn/runs/one", "nothing")).toMatchObject({ changed: [] });
});

test("a git that was ended in the middle does not stop the next run", async () => {
  const { open } = await scene();
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const tree = await open();
  for (const name of readdirSync(temporary).filter((one) => one.startsWith("sworn-git-"))) {
    writeFileSync(join(temporary, name, "index.lock"), "");
  }
  writeFileSync(join(tree.folder, "src/a.js"), "bad\n");
  tree.remove();
  const next = await open();
  expect(readFileSync(join(next.folder, "src/a.js"), "utf8")).toBe("one\n");
});

test("after a clock was set, nothing is used again", async () => {
  const beside = temporaryFolder();
  const since = await momentAfter(beside);
  expect(isClockSteady(since, beside)).toBe(true);
  const back = { ...since, aheadNs: since.aheadNs + 60_000_000_000n };
  const forth = { ...since, aheadNs: since.aheadNs - 60_000_000_000n };
  expect([isClockSteady(back, beside), isClockSteady(forth, beside)]).toEqual([false, false]);
});

test("nothing is left when the repository is closed", async () => {
  const temporary = temporaryFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { open, repository } = await scene();
  expect(tmpdir()).toBe(temporary);
  const trees = await Promise.all([open(), open(), open()]);
  for (const tree of trees.slice(1)) tree.remove();
  repository.close();
  trees[0]?.remove();
  expect(readdirSync(temporary).filter((name) => /^sworn-(?:git|trees)-/.test(name))).toEqual([]);
});
