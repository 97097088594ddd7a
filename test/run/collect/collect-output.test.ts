import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../../../src/base/index.ts";
import { close, openTop } from "../../../src/run/collect/beneath.ts";
import { copyFile } from "../../../src/run/collect/copy-file.ts";
import { collectOutput } from "../../../src/run/collect/index.ts";
import { type SeenFile, walkOutput } from "../../../src/run/collect/walk-output.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { verifies } from "../../verifies.ts";
import { asPlainUser, workspace } from "./workspace.ts";

const LIMITS = { output_bytes: 1_000_000, output_files: 1_000 };
const reasons = (folder: string): Record<string, string> =>
  Object.fromEntries(
    collectOutput(folder, LIMITS).refused.map(({ path, reason }) => [path, reason]),
  );

verifies(
  "004-45",
  "each output file is listed with hash, size, mode and time, in byte order",
  () => {
    const folder = workspace();
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a/z"), "last of a");
    writeFileSync(join(folder, "a.txt"), "first", { mode: 0o755 });
    writeFileSync(join(folder, "\u{10000}"), "four bytes");
    writeFileSync(join(folder, "\uffee"), "three bytes");
    utimesSync(join(folder, "a.txt"), 1_000, 1_700_000_000.25);
    const { files, refused, limit } = collectOutput(folder, LIMITS);
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "a/z", "\uffee", "\u{10000}"]);
    expect(files[0]).toEqual({
      path: "a.txt",
      bytes: 5,
      sha256: sha256Hex("first"),
      mode: 0o755,
      mtime_ms: 1_700_000_000_250,
    });
    expect({ refused, limit }).toEqual({ refused: [], limit: undefined });
  },
);

test("a name that holds a token is not taken, and not repeated", () => {
  const folder = workspace();
  const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
  writeFileSync(join(folder, `${token}.txt`), "harmless\n");
  mkdirSync(join(folder, `as-${token}`));
  writeFileSync(join(folder, `as-${token}`, "x"), "harmless\n");
  symlinkSync("x", join(folder, `${token}.link`));
  const { files, refused } = collectOutput(folder, LIMITS);
  expect(files).toEqual([]);
  expect(refused).toHaveLength(3);
  expect(JSON.stringify(refused)).not.toContain(token);
  expect(refused[0]?.reason).toBe("its name holds a key or a token");
});

test("no link is followed, at whatever level it stands", () => {
  const folder = workspace();
  const outside = workspace();
  writeFileSync(join(outside, "secret"), "of the host");
  symlinkSync(join(outside, "secret"), join(folder, "file"));
  symlinkSync(outside, join(folder, "folder"));
  symlinkSync(".", join(folder, "loop"));
  symlinkSync("nowhere", join(folder, "dangling"));
  expect(collectOutput(folder, LIMITS).files).toEqual([]);
  expect(reasons(folder)).toEqual({
    file: "it is a symbolic link",
    folder: "it is a symbolic link",
    loop: "it is a symbolic link",
    dangling: "it is a symbolic link",
  });
  expect(() => collectOutput(join(folder, "folder"), LIMITS)).toThrow("cannot be opened");
});

test("pipes, sockets and devices are refused without being opened", async () => {
  const folder = workspace();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const server = createServer();
  await new Promise<void>((done) => server.listen(join(folder, "socket"), done));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync("mknod", [join(folder, "zero"), "c", "1", "5"]);
  try {
    expect(reasons(folder)).toEqual({
      pipe: "it is a pipe",
      socket: "it is a socket",
      ...(isRoot ? { zero: "it is a device" } : {}),
    });
  } finally {
    await new Promise((done) => server.close(done));
  }
});

test("a file with another name outside is refused, one with all its names inside is taken", () => {
  const folder = workspace();
  const outside = workspace();
  writeFileSync(join(outside, "key"), "of the host");
  linkSync(join(outside, "key"), join(folder, "mine"));
  mkdirSync(join(folder, "deps"));
  writeFileSync(join(folder, "app"), "built");
  linkSync(join(folder, "app"), join(folder, "deps/app-1"));
  expect(collectOutput(folder, LIMITS).files.map(({ path }) => path)).toEqual([
    "app",
    "deps/app-1",
  ]);
  expect(reasons(folder)).toEqual({ mine: "it is a hard link with a name outside the output" });
});

test("names that are no text or could be taken for something else are refused, and shown harmless", () => {
  const folder = workspace();
  writeFileSync(join(folder, "two\nlines"), "");
  writeFileSync(join(folder, "\u001b[31mred"), "");
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff])]), "");
  writeFileSync(join(folder, "..."), "fine");
  writeFileSync(join(folder, "back\\slash"), "fine");
  expect(collectOutput(folder, LIMITS).files.map(({ path }) => path)).toEqual([
    "...",
    "back\\slash",
  ]);
  expect(reasons(folder)).toEqual({
    "two\\nlines": "its name has control characters",
    "\\u001b[31mred": "its name has control characters",
    "f\ufffd": "its name is not UTF-8",
  });
});

test("more entries than allowed are not looked at, and that is said", () => {
  const folder = workspace();
  for (let at = 0; at < 30; at += 1) mkdirSync(join(folder, `empty-${at}`));
  const few = collectOutput(folder, { ...LIMITS, output_files: 10 });
  expect(few).toMatchObject({ files: [], limit: "output_files" });
  expect(collectOutput(folder, { ...LIMITS, output_files: 30 }).limit).toBeUndefined();
});

test("fifty thousand files cost no more than the limit lets them", () => {
  const folder = workspace();
  const script =
    "import sys,os\nfor i in range(50000): os.close(os.open(sys.argv[1]+'/%d'%i,64|1))";
  execFileSync("python3", ["-c", script, folder]);
  const from = process.cpuUsage();
  expect(collectOutput(folder, { ...LIMITS, output_files: 1_000 }).limit).toBe("output_files");
  expect(processorMsSince(from)).toBeLessThan(2_000);
});

test("a list of refused entries has an end, the count has none", () => {
  const folder = workspace();
  const script = "import sys,os\nfor i in range(1500): os.symlink('x', sys.argv[1]+'/%d'%i)";
  execFileSync("python3", ["-c", script, folder]);
  const { refused, refusedCount } = collectOutput(folder, { ...LIMITS, output_files: 10_000 });
  expect(refused).toHaveLength(1_000);
  expect(refusedCount).toBe(1_500);
});

test("a sparse file is refused by the size it says, before a byte is read", () => {
  const folder = workspace();
  writeFileSync(join(folder, "huge"), "");
  truncateSync(join(folder, "huge"), 2 ** 42);
  writeFileSync(join(folder, "small"), "taken all the same");
  const from = process.cpuUsage();
  const { files, limit, refused } = collectOutput(folder, LIMITS);
  expect(files.map(({ path }) => path)).toEqual(["small"]);
  expect(limit).toBe("output_bytes");
  expect(refused[0]?.reason).toContain("4398046511104 bytes");
  expect(processorMsSince(from)).toBeLessThan(1_000);
});

test("all files together stay within the limit", () => {
  const folder = workspace();
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), Buffer.alloc(400_000));
  const { files, limit } = collectOutput(folder, LIMITS);
  expect(files.map(({ path }) => path)).toEqual(["a", "b"]);
  expect(limit).toBe("output_bytes");
});

test("folders are followed so many levels down and no deeper", () => {
  const folder = workspace();
  const script =
    "import os,sys\nos.chdir(sys.argv[1])\nfor i in range(200):\n os.mkdir('d'); os.chdir('d'); open('f','w').close()";
  execFileSync("python3", ["-c", script, folder]);
  const { files, refused } = collectOutput(folder, LIMITS);
  expect(files).toHaveLength(63);
  expect(refused.map(({ reason }) => reason)).toEqual(["it is a folder more than 64 levels down"]);
});

test("a file that changed after it was seen is refused, and so is one in its place", () => {
  const folder = workspace();
  writeFileSync(join(folder, "a"), "seen");
  writeFileSync(join(folder, "b"), "seen");
  writeFileSync(join(folder, "c"), "seen");
  const top = openTop(folder);
  const [a, b, c] = walkOutput(top, 10).files.toSorted(byPath);
  appendFileSync(join(folder, "a"), " and more");
  rmSync(join(folder, "b"));
  execFileSync("mkfifo", [join(folder, "b")]);
  rmSync(join(folder, "c"));
  symlinkSync("a", join(folder, "c"));
  const copied = (file: typeof a) => copyFile(top, file as SeenFile);
  try {
    expect(copied(a)).toBe("it changed after it was seen");
    expect(copied(b)).toBe("it changed after it was seen");
    expect(() => copied(c)).toThrow("ELOOP");
  } finally {
    close(top);
  }
});

test("a file that grows while it is read is refused", () => {
  const folder = workspace();
  writeFileSync(join(folder, "a"), Buffer.alloc(3_000_000));
  const top = openTop(folder);
  const itself = openSync(join(folder, "a"), "a");
  try {
    const [file] = walkOutput(top, 10).files;
    // Each part that is read is written to its own end.
    expect(copyFile(top, file as SeenFile, itself)).toBe("it changed while it was read");
  } finally {
    closeSync(itself);
    close(top);
  }
});

test("copies hold the bytes that were hashed, and a refused file leaves none", () => {
  const folder = workspace();
  const into = workspace();
  mkdirSync(join(folder, "a/b"), { recursive: true });
  writeFileSync(join(folder, "a/b/c"), "content");
  symlinkSync("a", join(folder, "link"));
  const { files } = collectOutput(folder, LIMITS, into);
  expect(files.map(({ sha256 }) => sha256)).toEqual([sha256Hex("content")]);
  expect(readFileSync(join(into, "a/b/c"), "utf8")).toBe("content");
  expect(collectOutput(into, LIMITS).files.map(({ path }) => path)).toEqual(["a/b/c"]);
});

test("a program stays one in its copy, for its owner and with no right beyond", () => {
  const folder = workspace();
  const into = workspace();
  writeFileSync(join(folder, "program"), "x");
  chmodSync(join(folder, "program"), 0o4777);
  writeFileSync(join(folder, "text"), "x", { mode: 0o644 });
  const { files } = collectOutput(folder, LIMITS, into);
  expect(files.map(({ mode }) => mode.toString(8))).toEqual(["4777", "644"]);
  expect((statSync(join(into, "program")).mode & 0o7777).toString(8)).toBe("700");
  expect((statSync(join(into, "text")).mode & 0o7777).toString(8)).toBe("600");
});

test("a long name that is refused is cut where no character is split", () => {
  const folder = workspace();
  const inside = join(folder, "d".repeat(60), "e".repeat(120));
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, `\u0001a${"\u{1f600}".repeat(60)}`), "");
  const [entry] = collectOutput(folder, LIMITS).refused;
  expect(entry?.path).toHaveLength(301);
  expect(entry?.path.isWellFormed()).toBe(true);
});

test("a copy never replaces what is there", () => {
  const folder = workspace();
  const into = workspace();
  writeFileSync(join(folder, "a"), "new");
  writeFileSync(join(into, "a"), "old");
  expect(() => collectOutput(folder, LIMITS, into)).toThrow("EEXIST");
  expect(readFileSync(join(into, "a"), "utf8")).toBe("old");
});

test("what may not be read is refused, for a user to whom modes mean something", () => {
  const folder = workspace();
  chmodSync(folder, 0o777);
  const answer = asPlainUser(`
    const folder = ${JSON.stringify(folder)};
    fs.writeFileSync(folder + "/closed", "x", { mode: 0 });
    fs.mkdirSync(folder + "/locked");
    fs.writeFileSync(folder + "/locked/inside", "x");
    fs.chmodSync(folder + "/locked", 0);
    fs.writeFileSync(folder + "/open", "x");
    const { files, refused } = collect.collectOutput(folder, ${JSON.stringify(LIMITS)});
    return { files: files.map(({ path }) => path), refused };`);
  expect(answer).toMatchObject({ files: ["open"] });
  expect((answer as { refused: { path: string }[] }).refused.toSorted(byPath)).toEqual([
    { path: "closed", reason: "it cannot be read (EACCES)" },
    { path: "locked", reason: "cannot be opened (EACCES)" },
  ]);
});

const byPath = (one: { path: string }, other: { path: string }): number =>
  one.path < other.path ? -1 : 1;

test("no folder stays open", () => {
  const folder = workspace();
  mkdirSync(join(folder, "a/b/c"), { recursive: true });
  writeFileSync(join(folder, "a/b/c/d"), "x");
  symlinkSync("x", join(folder, "a/b/l"));
  const next = (): number => {
    const fd = openSync("/dev/null", "r");
    closeSync(fd);
    return fd;
  };
  const before = next();
  for (let round = 0; round < 20; round += 1) collectOutput(folder, LIMITS);
  expect(next()).toBe(before);
});
