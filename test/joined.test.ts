import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const DIST = resolve(import.meta.dirname, "../dist");
const JOINED = join(DIST, "joined");
const read = (path: string): string => readFileSync(join(DIST, path), "utf8");
// What the bundler adds to each of its results asks for no file.
const OWN = "rolldown-runtime.cjs";
const chunks = readdirSync(JOINED).filter((name) => name.endsWith(".cjs") && name !== OWN);

test("what is started by its path loads the joined files, and everything that is started does", () => {
  for (const path of [
    "cli/bin.js",
    "scan/review-thread.js",
    "verify/line-worker.js",
    "ledger/hasher-worker.js",
    "policy/opa-thread.js",
  ]) {
    const loaded =
      /^(?:#!.*\n)?import .*;\ncreateRequire\(.*\)\("\.\.\/(joined\/[\w-]+\.cjs)"\);\n$/.exec(
        read(path),
      )?.[1];
    expect(loaded, path).toBeDefined();
    expect(existsSync(join(DIST, loaded ?? "")), path).toBe(true);
  }
});

test("a command that ends without an answer did not succeed", () => {
  // Input that neither comes nor ends, and that nothing waits for: the process runs out of things to do.
  const silent = "({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) })";
  const code = `Object.defineProperty(process, "stdin", { value: ${silent} });`;
  const before = `data:text/javascript,${encodeURIComponent(code)}`;
  const args = ["--import", before, join(DIST, "cli/bin.js"), "extract", "-"];
  expect(spawnSync(process.execPath, args, { timeout: 60_000 })).toMatchObject({ status: 1 });
});

test("the library and what is sent into sandboxes are as they were compiled", () => {
  for (const path of ["index.js", "verify/index.js", "inside/bin.js"]) {
    expect(read(path), path).not.toContain("/joined/");
  }
});

test("what is sent into a run is one file that needs nothing but Node.js", () => {
  const text = read("joined/inside.mjs");
  const needed = [...text.matchAll(/(?:from|import\(|import|require\() ?"([^"]+)"/g)];
  expect(needed.length).toBeGreaterThan(0);
  expect(needed.map((match) => match[1]).filter((id) => !id?.startsWith("node:"))).toEqual([]);
});

test("a joined module looks for files where the compiler put it", () => {
  const places = chunks.flatMap((name) => {
    const text = read(join("joined", name));
    // What a module called import.meta.url.
    const all = text.match(/import\.meta\.|pathToFileURL\(__filename\)|__dirname\b(?! __)/g) ?? [];
    const moved = [
      ...text.matchAll(
        /new URL\("(\.\.\/[^"]+)", require\("url"\)\.pathToFileURL\(__filename\)\.href\)\.href/g,
      ),
    ];
    expect(moved.length, name).toBe(all.length);
    return moved.map((match) => match[1] ?? "");
  });
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((place) => !existsSync(join(JOINED, place)))).toEqual([]);
});

test("the licences of packages that were taken in are told", () => {
  const text = read("joined/LICENCES.txt");
  for (const name of ["zod", "yaml", "picomatch", "mdast-util-from-markdown", "micromark"]) {
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n`, "m"));
  }
});
