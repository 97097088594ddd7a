import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeTree } from "../../../src/run/collect/index.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { asPlainUser, workspace } from "./workspace.ts";

test("a workspace is removed with everything in it, and nothing that it links to", () => {
  const folder = workspace();
  const outside = workspace();
  writeFileSync(join(outside, "file"), "stays");
  mkdirSync(join(folder, "a/b"), { recursive: true });
  symlinkSync(outside, join(folder, "a/folder"));
  symlinkSync(join(outside, "file"), join(folder, "a/b/file"));
  linkSync(join(outside, "file"), join(folder, "hard"));
  execFileSync("mkfifo", [join(folder, "a/pipe")]);
  writeFileSync(join(folder, "a/b/own"), "content");
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/a/`), Buffer.from([0xff, 0x0a, 0xfe])]), "x");
  expect(removeTree(folder)).toEqual({ entries: 8, zeroizedBytes: 8, notZeroized: 1 });
  expect(existsSync(folder)).toBe(false);
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("stays");
});

test("what was in a file is zeros before its name is gone", () => {
  const folder = workspace();
  writeFileSync(join(folder, "secret"), "the content of a secret");
  const fd = openSync(join(folder, "secret"), "r");
  removeTree(folder);
  const left = Buffer.alloc(64, 1);
  const bytes = readSync(fd, left, 0, left.length, 0);
  expect(left.subarray(0, bytes)).toEqual(Buffer.alloc(23));
});

test("a file with two names inside is zeroized with the last of them", () => {
  const folder = workspace();
  writeFileSync(join(folder, "one"), "content");
  linkSync(join(folder, "one"), join(folder, "two"));
  expect(removeTree(folder)).toEqual({ entries: 2, zeroizedBytes: 7, notZeroized: 1 });
});

test("data in a sparse file is found and zeroized, and its holes are not filled", () => {
  const folder = workspace();
  const path = join(folder, "sparse");
  writeFileSync(path, "");
  truncateSync(path, 10_000_000);
  execFileSync("python3", [
    "-c",
    "import sys\nf=open(sys.argv[1],'r+b')\nf.seek(7000000)\nf.write(b'secret')",
    path,
  ]);
  const fd = openSync(path, "r");
  removeTree(folder);
  const left = Buffer.alloc(6, 1);
  readSync(fd, left, 0, 6, 7_000_000);
  expect(left).toEqual(Buffer.alloc(6));
});

test("a file of four terabytes of nothing is removed at once", () => {
  const folder = workspace();
  writeFileSync(join(folder, "huge"), "x");
  truncateSync(join(folder, "huge"), 2 ** 42);
  const from = process.cpuUsage();
  expect(removeTree(folder)).toEqual({ entries: 1, zeroizedBytes: 0, notZeroized: 1 });
  expect(processorMsSince(from)).toBeLessThan(1_000);
});

test("folders of any depth are removed, also where no path is long enough to name them", () => {
  const folder = workspace();
  const script =
    "import os,sys\nos.chdir(sys.argv[1])\nfor i in range(1200):\n os.mkdir('deep'); os.chdir('deep')\n if i % 20 == 0: open('f','w').write('x')";
  execFileSync("python3", ["-c", script, folder]);
  expect(removeTree(folder)).toMatchObject({ entries: 1_260, zeroizedBytes: 60 });
  expect(existsSync(folder)).toBe(false);
});

test("many files in one folder cost their number and no more", () => {
  const folder = workspace();
  const script = "import sys,os\nfor i in range(5000): os.symlink('x', sys.argv[1]+'/%d'%i)";
  execFileSync("python3", ["-c", script, folder]);
  expect(removeTree(folder).entries).toBe(5_000);
});

test("folders and files without any permission are removed, by a user to whom modes mean something", () => {
  const folder = workspace();
  chmodSync(folder, 0o777);
  const answer = asPlainUser(`
    const top = ${JSON.stringify(folder)} + "/top";
    fs.mkdirSync(top + "/a/b/c", { recursive: true });
    fs.writeFileSync(top + "/a/b/c/file", "content", { mode: 0 });
    for (const path of ["/a/b/c", "/a/b", "/a", ""]) fs.chmodSync(top + path, 0);
    return { removed: collect.removeTree(top), isThere: fs.existsSync(top) };`);
  expect(answer).toEqual({
    removed: { entries: 4, zeroizedBytes: 7, notZeroized: 0 },
    isThere: false,
  });
});

test("what is not there is removed already, and a link in its place is not followed", () => {
  const folder = workspace();
  expect(removeTree(join(folder, "nothing")).entries).toBe(0);
  mkdirSync(join(folder, "real"));
  writeFileSync(join(folder, "real/file"), "stays");
  symlinkSync("real", join(folder, "link"));
  expect(() => removeTree(join(folder, "link"))).toThrow("cannot be removed");
  expect(readFileSync(join(folder, "real/file"), "utf8")).toBe("stays");
});

test("something that is mounted inside is neither entered nor written over", () => {
  const folder = workspace();
  const outside = workspace();
  writeFileSync(join(outside, "file"), "of the host");
  mkdirSync(join(folder, "mounted"));
  // A mount namespace of its own: nothing is mounted on the machine that runs the tests.
  const built = join(import.meta.dirname, "../../../dist/run/collect/index.js");
  const script = `import { collectOutput, removeTree } from ${JSON.stringify(built)};
    const folder = ${JSON.stringify(folder)};
    const { files, refused } = collectOutput(folder, { output_bytes: 1000, output_files: 10 });
    let error = ""; try { removeTree(folder); } catch (thrown) { error = thrown.message; }
    console.log(JSON.stringify({ files, refused, error }));`;
  const inside = `mount --bind "$1" "$2" && exec "$3" --input-type=module --eval "$4"`;
  const answer = execFileSync(
    "unshare",
    [
      "--mount",
      "--map-root-user",
      "sh",
      "-c",
      inside,
      "sh",
      outside,
      join(folder, "mounted"),
      process.execPath,
      script,
    ],
    { encoding: "utf8" },
  );
  expect(JSON.parse(answer)).toMatchObject({
    files: [],
    refused: [{ path: "mounted", reason: "it is on another mount" }],
    error: expect.stringContaining("something is mounted inside"),
  });
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("of the host");
});
