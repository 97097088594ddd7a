import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { all, GitFolder, lines } from "./git-folder.ts";

test("each kind of change is told with its lines", async () => {
  const folder = new GitFolder();
  const base = folder.commit({
    "edited.txt": lines(1, 20),
    "gone.txt": "un\ndeux\ntrois\n",
    "moved.txt": lines(100, 140),
    "image.bin": Buffer.from([0, 1, 2]),
    "kind.txt": "file\n",
  });
  folder.write("edited.txt", `first\n${lines(1, 9)}${lines(12, 20)}x\ny\n`);
  rmSync(join(folder.path, "gone.txt"));
  renameSync(join(folder.path, "moved.txt"), join(folder.path, "found.txt"));
  folder.write("found.txt", `${lines(100, 140)}more\n`);
  folder.write("image.bin", Buffer.from([0, 3]));
  rmSync(join(folder.path, "kind.txt"));
  symlinkSync("edited.txt", join(folder.path, "kind.txt"));
  const head = folder.commit({ "new.txt": lines(1, 4), "empty.txt": "" });
  const repository = await folder.open();
  const changed = await all(repository.changedFiles(base, head));
  const byPath = Object.fromEntries(changed.map((file) => [file.path, file]));
  expect(changed.map(({ path, status, kind }) => [path, status, kind])).toEqual([
    ["edited.txt", "modified", "file"],
    ["empty.txt", "added", "file"],
    ["found.txt", "renamed", "file"],
    ["gone.txt", "deleted", "file"],
    ["image.bin", "modified", "file"],
    ["kind.txt", "typechange", "link"],
    ["new.txt", "added", "file"],
  ]);
  expect(byPath["edited.txt"]).toMatchObject({
    added: 3,
    deleted: 2,
    ranges: [
      { from: 1, to: 1 },
      { from: 20, to: 21 },
    ],
  });
  expect(byPath["found.txt"]).toMatchObject({
    oldPath: "moved.txt",
    ranges: [{ from: 42, to: 42 }],
  });
  expect(byPath["gone.txt"]).toMatchObject({ deleted: 3, blob: null, ranges: [] });
  expect(byPath["image.bin"]).toMatchObject({ isBinary: true, added: 0, ranges: [] });
  expect(byPath["kind.txt"]).toMatchObject({ ranges: [{ from: 1, to: 1 }] });
  expect(byPath["new.txt"]).toMatchObject({ oldBlob: null, ranges: [{ from: 1, to: 4 }] });
  expect(byPath["empty.txt"]).toMatchObject({ added: 0, ranges: [] });
});

test("a copy is told with its origin", async () => {
  const folder = new GitFolder();
  const base = folder.commit({ "a.txt": lines(1, 30) });
  const head = folder.commit({ "a.txt": `${lines(1, 30)}x\n`, "b.txt": `${lines(1, 30)}y\n` });
  const changed = await all((await folder.open()).changedFiles(base, head));
  expect(changed).toMatchObject([
    { path: "a.txt", status: "modified" },
    { path: "b.txt", status: "copied", oldPath: "a.txt", ranges: [{ from: 31, to: 31 }] },
  ]);
});

test("a submodule has neither lines nor content", async () => {
  const folder = new GitFolder();
  const base = folder.commit({ "a.txt": "a\n" });
  folder.git("update-index", "--add", "--cacheinfo", `160000,${base},vendor/lib`);
  folder.git("commit", "--quiet", "-m", "module");
  const head = folder.git("rev-parse", "HEAD");
  const repository = await folder.open();
  expect(await all(repository.changedFiles(base, head))).toMatchObject([
    { path: "vendor/lib", kind: "submodule", status: "added", added: 0, ranges: [] },
  ]);
  expect(await repository.blobAt(head, "vendor/lib")).toMatchObject({
    kind: "submodule",
    size: null,
  });
});

const ODD_NAMES = [
  " leading and trailing ",
  'quo"te and \\ backslash',
  "new\nline",
  "@@ -1 +1,99 @@",
  "x\n@@ -1 +1,99 @@\nindex 0000000000000000000000000000000000000000..1",
  "tab\tand \u001b[31mescape",
  ":(glob)**",
  "-rf",
  "ünï/cödé 日本.txt",
  "a\\x41",
];

test("any file name comes through as it is, and no name forges lines", async () => {
  const folder = new GitFolder();
  const base = folder.commit(Object.fromEntries(ODD_NAMES.map((name) => [name, "one\n"])));
  const edited = ODD_NAMES.map((name, at) => [name, `one\n${lines(1, at + 1)}`]);
  const head = folder.commit(Object.fromEntries(edited));
  const repository = await folder.open();
  const changed = await all(repository.changedFiles(base, head));
  expect(changed.map(({ path }) => path).sort()).toEqual(ODD_NAMES.toSorted());
  for (const [at, name] of ODD_NAMES.entries()) {
    const file = changed.find(({ path }) => path === name);
    expect(file).toMatchObject({
      status: "modified",
      added: at + 1,
      ranges: [{ from: 2, to: at + 2 }],
    });
    expect((await repository.blobAt(head, name))?.blob).toBe(file?.blob);
  }
  const listed = (await all(repository.listTree(head))).map(({ path }) => path);
  expect(listed.sort()).toEqual(ODD_NAMES.toSorted());
});

test("a name that is no UTF-8 is shown escaped, keeps its bytes and can be read", async () => {
  const folder = new GitFolder();
  const base = folder.commit({ "a.txt": "a\n" });
  const name = Buffer.from("caf\xe9 \xff.txt", "latin1");
  folder.write(name, "content\n");
  const head = folder.commit();
  const repository = await folder.open();
  const [file] = await all(repository.changedFiles(base, head));
  expect(file).toMatchObject({ path: "caf\\xE9 \\xFF.txt", added: 1, pathBytes: name });
  expect(await repository.blobAt(head, "caf\\xE9 \\xFF.txt")).toMatchObject({
    blob: file?.blob,
    pathBytes: name,
  });
});

test("what a merge brought along shows against the base, and not what was there before", async () => {
  const folder = new GitFolder();
  const base = folder.commit({ "a.txt": "a\n" });
  folder.git("switch", "--quiet", "-c", "side");
  folder.commit({ "side.txt": "s\n" });
  folder.git("switch", "--quiet", "main");
  const ours = folder.commit({ "ours.txt": "o\n" });
  folder.git("merge", "--quiet", "--no-ff", "--no-edit", "side");
  const head = folder.git("rev-parse", "HEAD");
  const repository = await folder.open();
  const paths = async (from: string) =>
    (await all(repository.changedFiles(from, head))).map(({ path }) => path);
  expect(await paths(base)).toEqual(["ours.txt", "side.txt"]);
  expect(await paths(ours)).toEqual(["side.txt"]);
  expect((await repository.findBase(head)).commit).toBe(ours);
});

test("attributes of the repository hide no line", async () => {
  const folder = new GitFolder();
  const base = folder.commit({ "a.ts": "a\n", ".gitattributes": "* binary -diff\n" });
  folder.write(".git/info/attributes", "* -diff\n");
  const head = folder.commit({ "a.ts": "a\nb\n" });
  // Plain git believes the attributes.
  expect(folder.git("diff", "--numstat", base, head)).toContain("-\t-\ta.ts");
  expect(await all((await folder.open()).changedFiles(base, head))).toMatchObject([
    { path: "a.ts", isBinary: false, added: 1, ranges: [{ from: 2, to: 2 }] },
  ]);
});

test("lines that look like a patch's headers count as what they are", async () => {
  const folder = new GitFolder();
  const base = folder.commit({ "a.patch": "x\n" });
  const text = "diff --git a/z b/z\nindex 1..2\n@@ -1 +7,7 @@\n--- a/z\n+++ b/z\n\\ odd\n";
  const head = folder.commit({ "a.patch": `${text}x\n${"long ".repeat(50_000)}\n` });
  expect(await all((await folder.open()).changedFiles(base, head))).toMatchObject([
    {
      added: 7,
      ranges: [
        { from: 1, to: 6 },
        { from: 8, to: 8 },
      ],
    },
  ]);
});
