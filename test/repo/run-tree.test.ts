import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Repository, type RunTree } from "../../src/repo/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { GitFolder } from "./git-folder.ts";

async function open(project: GitFolder, commit = project.git("rev-parse", "HEAD")) {
  const repository = await Repository.open(project.path, { env: project.env });
  onTestFinished(() => repository.close());
  const folder = join(temporaryFolder(), "tree");
  mkdirSync(folder);
  const tree = await repository.openRunTree({ folder, commit, env: project.env });
  onTestFinished(() => tree.remove());
  return tree;
}

const REF = "refs/sworn/runs/one";
const write = (tree: RunTree, name: string, text: string | Buffer) => {
  const path = join(tree.folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
};

test("a run starts with the bytes of its commit and ends on a reference", async () => {
  const project = new GitFolder();
  project.write(".gitattributes", "*.txt text eol=crlf\n*.sh ident\n");
  const base = project.commit({ "a.txt": "one\n", "b/c.sh": "# $Id$\n", "d.txt": "gone\n" });
  project.write("a.txt", "not committed\n");
  const tree = await open(project, base);
  expect(readFileSync(join(tree.folder, "a.txt"), "utf8")).toBe("one\n");
  expect(readFileSync(join(tree.folder, "b/c.sh"), "utf8")).toBe("# $Id$\n");
  expect(existsSync(join(tree.folder, ".git"))).toBe(false);
  write(tree, "a.txt", "two\r\n");
  write(tree, "new/with space\nand line.txt", "new\n");
  rmSync(join(tree.folder, "d.txt"));
  const saved = await tree.save(REF, "what the run left");
  expect(saved.changed.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "a.txt", how: "modified" },
    { path: "d.txt", how: "deleted" },
    { path: "new/with space\nand line.txt", how: "added" },
  ]);
  expect(project.git("rev-parse", REF)).toBe(saved.commit);
  expect(project.git("rev-parse", `${REF}^`)).toBe(base);
  expect(execFileSync("git", ["show", `${REF}:a.txt`], { cwd: project.path }).toString()).toBe(
    "two\r\n",
  );
  expect(project.git("ls-tree", "-r", "--name-only", "-z", REF)).toContain("and line.txt");
  tree.remove();
  expect(existsSync(tree.folder)).toBe(false);
});

test("where nothing changed, the reference is the commit it began with", async () => {
  const project = new GitFolder();
  const base = project.commit({ "a.txt": "one\n" });
  const saved = await (await open(project)).save(REF, "nothing");
  expect(saved).toEqual({ commit: base, changed: [], ignored: [], nested: [], isUntouched: true });
  expect(project.git("rev-parse", REF)).toBe(base);
});

test("the user's own work tree, index and branches stay as they were", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  project.write("a.txt", "mine\n");
  project.write("staged.txt", "staged\n");
  project.git("add", "staged.txt");
  const look = () => [
    project.git("status", "--porcelain"),
    project.git("for-each-ref", "refs/heads"),
    readFileSync(join(project.path, ".git/HEAD"), "utf8"),
  ];
  const before = look();
  const tree = await open(project);
  write(tree, "a.txt", "theirs\n");
  await tree.save(REF, "x");
  expect(look()).toEqual(before);
});

test("no setting, filter or hook runs, neither the repository's nor the run's own", async () => {
  const project = new GitFolder();
  const trap = join(project.home, "trapped");
  const evil = `sh -c 'echo yes >> ${trap}; cat'`;
  project.commit({ "a.txt": "one\n", ".gitattributes": "* filter=evil\n" });
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor"]) {
    project.git("config", key, evil);
  }
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
    const path = join(project.path, ".git/hooks", hook);
    writeFileSync(path, `#!/bin/sh\necho hook >> ${trap}\n`);
    chmodSync(path, 0o755);
  }
  const tree = await open(project);
  write(tree, ".git/config", `[core]\n\tfsmonitor = ${evil}\n[filter "evil"]\n\tclean = ${evil}\n`);
  write(tree, ".git/HEAD", "ref: refs/heads/main\n");
  write(tree, "a.txt", "two\n");
  const saved = await tree.save(REF, "x");
  expect(saved.changed).toEqual([{ path: "a.txt", how: "modified" }]);
  expect(existsSync(trap)).toBe(false);
});

test("a repository that a run makes in its tree hides nothing and loses nothing", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const tree = await open(project);
  const inner = join(tree.folder, "vendor/inner");
  mkdirSync(inner, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: inner,
      stdio: "ignore",
    });
  git("init");
  writeFileSync(join(inner, "work.txt"), "hours of it\n");
  git("add", ".");
  git("commit", "-m", "x");
  const saved = await tree.save(REF, "x");
  expect(saved.nested).toEqual(["vendor/inner/"]);
  expect(project.git("show", `${REF}:vendor/inner/work.txt`)).toBe("hours of it");
  expect(project.git("ls-tree", "-r", "--name-only", REF)).toContain(
    "vendor/inner/.git-saved/HEAD",
  );
});

test("what is ignored is named and not saved", async () => {
  const project = new GitFolder();
  project.commit({ ".gitignore": "out/\n*.log\n" });
  const tree = await open(project);
  write(tree, "out/a", "x");
  write(tree, "x.log", "x");
  write(tree, "kept.txt", "x");
  const saved = await tree.save(REF, "x");
  expect(saved.ignored.toSorted()).toEqual(["out/", "x.log"]);
  expect(saved.changed).toEqual([{ path: "kept.txt", how: "added" }]);
});

test("links and executable bits come and go as git has them, and no link is followed", async () => {
  const project = new GitFolder();
  symlinkSync("/etc/hostname", join(project.path, "link"));
  project.write("run.sh", "#!/bin/sh\n");
  chmodSync(join(project.path, "run.sh"), 0o755);
  project.commit();
  const tree = await open(project);
  expect(readlinkSync(join(tree.folder, "link"))).toBe("/etc/hostname");
  expect(lstatSync(join(tree.folder, "run.sh")).mode & 0o111).not.toBe(0);
  symlinkSync(project.path, join(tree.folder, "out"));
  await tree.save(REF, "x");
  expect(project.git("ls-tree", REF, "out", "link")).toMatch(/^120000 [^\n]+\n120000 [^\n]+$/);
  expect(project.git("cat-file", "-p", `${REF}:out`)).toBe(project.path);
});

test("a tree that cannot be saved says so and stays", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const tree = await open(project);
  write(tree, "a.txt", "two\n");
  // A reference of this name makes a folder of it impossible.
  project.git("update-ref", "refs/sworn/runs", "HEAD");
  await expect(tree.save(REF, "x")).rejects.toThrow(/update-ref failed/);
  expect(readFileSync(join(tree.folder, "a.txt"), "utf8")).toBe("two\n");
});

test("two runs of one commit do not see each other", async () => {
  const project = new GitFolder(["--object-format=sha256"]);
  project.commit({ "a.txt": "one\n" });
  const [left, right] = await Promise.all([open(project), open(project)]);
  write(left, "a.txt", "left\n");
  write(right, "b.txt", "right\n");
  const saved = await Promise.all([
    left.save("refs/sworn/runs/left", "l"),
    right.save("refs/sworn/runs/right", "r"),
  ]);
  expect(saved.map(({ changed }) => changed.map(({ path }) => path))).toEqual([
    ["a.txt"],
    ["b.txt"],
  ]);
});

function nestRepository(tree: RunTree, name: string): void {
  const folder = join(tree.folder, name);
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder });
  git("init", "-q", ".");
  git("commit", "-q", "--allow-empty", "-m", "one");
  writeFileSync(join(folder, "work.txt"), `work in ${name}\n`);
}

test("the files of every repository within the tree are saved, however many there are", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const tree = await open(project);
  nestRepository(tree, "n000");
  const names = Array.from({ length: 103 }, (_, at) => `n${String(at).padStart(3, "0")}`);
  for (const name of names.slice(1)) {
    cpSync(join(tree.folder, "n000"), join(tree.folder, name), { recursive: true });
  }
  await tree.save(REF, "many");
  const saved = project.git("ls-tree", "-r", "--name-only", REF).split("\n");
  expect(saved.filter((path) => path.endsWith("/work.txt"))).toEqual(
    names.map((name) => `${name}/work.txt`),
  );
}, 30_000);

test("a repository in a repository's own folder, or under the name of a saved one, keeps nothing from being saved", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const tree = await open(project);
  nestRepository(tree, "sub");
  write(tree, "sub/.git/x/.git/y", "within\n");
  write(tree, "sub/.git-saved/z", "of an earlier run\n");
  await tree.save(REF, "hidden");
  const saved = project.git("ls-tree", "-r", "--name-only", REF).split("\n");
  expect(saved).toEqual(
    expect.arrayContaining(["sub/.git-saved/z", "sub/.git-saved-2/x/.git-saved/y", "sub/work.txt"]),
  );
});

test("of a repository in the place of a submodule the files are saved, and not its name alone", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const other = project.git("rev-parse", "HEAD");
  project.git("update-index", "--add", "--cacheinfo", `160000,${other},module`);
  project.git("commit", "-q", "-m", "with a module");
  const tree = await open(project);
  nestRepository(tree, "module");
  await tree.save(REF, "module");
  expect(project.git("ls-tree", "-r", "--name-only", REF).split("\n")).toContain("module/work.txt");
});

/** A commit with a submodule, whose folder is empty in a run's tree. */
function withSubmodule(): GitFolder {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  project.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`);
  project.git("commit", "--quiet", "-m", "with a submodule");
  return project;
}

test("a repository that a run makes in the place of a submodule starts no program outside", async () => {
  const tree = await open(withSubmodule());
  const sub = join(tree.folder, "sub");
  const ran = join(temporaryFolder(), "ran");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: sub });
  git("init", "--quiet");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
  write(tree, "sub/file.txt", "one\n");
  git("add", "file.txt");
  write(tree, "sub/file.txt", "two\n");
  write(tree, "sub/.gitattributes", "* filter=evil\n");
  git("config", "filter.evil.clean", `touch ${ran}; cat`);
  const saved = await tree.save(REF, "what the run left");
  expect(existsSync(ran)).toBe(false);
  expect(saved.nested).toEqual(["sub/"]);
});

test("what a run puts into the folder of a submodule is saved, and an empty one stays what it is", async () => {
  const project = withSubmodule();
  const tree = await open(project);
  write(tree, "a.txt", "two\n");
  await tree.save(REF, "what the run left");
  expect(project.git("ls-tree", REF, "sub")).toMatch(/^160000 commit/);
  write(tree, "sub/file.txt", "precious\n");
  const { changed } = await tree.save(REF, "what the run left");
  expect(changed).toContainEqual({ path: "sub/file.txt", how: "added" });
  expect(project.git("show", `${REF}:sub/file.txt`)).toBe("precious");
});

test("a pipe where git looks for a file keeps nothing from being saved", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n", "b/c.txt": "one\n" });
  const tree = await open(project);
  mkdirSync(join(tree.folder, "new/.git/refs"), { recursive: true });
  mkdirSync(join(tree.folder, "new/.git/objects"));
  const pipes = ["b/.gitignore", "b/.gitattributes", "new/.git/HEAD", "pipe"];
  execFileSync("mkfifo", pipes, { cwd: tree.folder });
  write(tree, "new/precious.txt", "precious\n");
  await tree.save(REF, "what the run left");
  expect(project.git("show", `${REF}:new/precious.txt`)).toBe("precious");
}, 20_000);

test("names that are no text keep no repository within the tree from being saved", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const tree = await open(project);
  const top = Buffer.concat([Buffer.from(`${tree.folder}/`), Buffer.from([0x6e, 0xfe])]);
  const at = (name: string) => Buffer.concat([top, Buffer.from(name)]);
  mkdirSync(at("/.git/refs"), { recursive: true });
  mkdirSync(at("/.git/objects"));
  writeFileSync(at("/.git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(at("/work.txt"), "precious\n");
  await tree.save(REF, "what the run left");
  expect(project.git("ls-tree", "-r", "--name-only", REF)).toContain("/work.txt");
});

test("a tree that is too deep to be named is given up without a failure", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const tree = await open(project);
  write(tree, "work.txt", "precious\n");
  const deep = "import os\nfor _ in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)";
  execFileSync("python3", ["-c", deep], { cwd: tree.folder });
  onTestFinished(() => void execFileSync("rm", ["-rf", tree.folder]));
  await tree.save(REF, "what the run left");
  tree.remove();
  expect(project.git("show", `${REF}:work.txt`)).toBe("precious");
});

test("the files of a repository within the tree are among what the run changed", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n", "b.txt": "one\n" });
  const tree = await open(project);
  nestRepository(tree, "sub");
  write(tree, "a.txt", "two\n");
  rmSync(join(tree.folder, "b.txt"));
  const { changed } = await tree.save(REF, "what the run left");
  expect(changed).toEqual(
    expect.arrayContaining([
      { path: "a.txt", how: "modified" },
      { path: "b.txt", how: "deleted" },
      { path: "sub/work.txt", how: "added" },
    ]),
  );
});

test("a clone that was cut off has its tree, its facts and its subjects, and a run is saved there", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const base = project.commit({ "a.txt": "two\n" });
  project.git("clone", "--quiet", "--depth=1", `file://${project.path}`, "../shallow");
  const path = join(project.home, "shallow");
  const repository = await Repository.open(path, { env: project.env });
  onTestFinished(() => repository.close());
  expect((await repository.commitFacts(base)).tree).toBe(project.git("rev-parse", "HEAD^{tree}"));
  const subjects = [];
  for await (const one of repository.commitSubjects(base, 10)) subjects.push(one);
  expect(subjects).toHaveLength(1);
  const folder = join(temporaryFolder(), "tree");
  mkdirSync(folder);
  const tree = await repository.openRunTree({ folder, commit: base, env: project.env });
  onTestFinished(() => tree.remove());
  write(tree, "a.txt", "three\n");
  const saved = await tree.save(REF, "what the run left");
  expect(saved.changed).toEqual([{ path: "a.txt", how: "modified" }]);
  expect(execFileSync("git", ["show", `${REF}:a.txt`], { cwd: path }).toString()).toBe("three\n");
});
