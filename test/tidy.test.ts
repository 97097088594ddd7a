import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
/** The longest a source file may be. This number only goes down. */
const SOURCE_LINES_MAX = 300;
const VAGUE_NAMES = /^(utils?|helpers?|misc|common|types|manager|service)\.ts$/;

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "");
const text = (path: string): string => readFileSync(resolve(ROOT, path), "utf8");
const sources = tracked.filter((path) => /^src\/.*\.ts$/.test(path));
const written = tracked.filter(
  (path) =>
    /\.(ts|mjs|md|json|yaml|yml|py)$|setup-system$|\.ci\/run$/.test(path) &&
    !path.startsWith("test/vectors/"),
);

test("the scan sees the code it claims to check", () => {
  expect(sources.length).toBeGreaterThan(40);
  expect(written.length).toBeGreaterThan(sources.length);
});

test(`no source file is longer than ${SOURCE_LINES_MAX} lines`, () => {
  expect(sources.filter((path) => text(path).split("\n").length > SOURCE_LINES_MAX)).toEqual([]);
});

test("no file has a name that could hold anything", () => {
  expect(tracked.filter((path) => VAGUE_NAMES.test(basename(path)))).toEqual([]);
});

test("a bound that others use is written down once", () => {
  const bounds = sources.flatMap((path) =>
    [...text(path).matchAll(/^export const ([A-Z][A-Z0-9_]*_(?:MAX|MIN)) =/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  expect(bounds.length).toBeGreaterThan(20);
  expect(bounds.filter((name, at) => bounds.indexOf(name) !== at)).toEqual([]);
});

test("nothing is left half-done", () => {
  const marks = new RegExp(["FIX", "ME|X", "XX|@ts-", "ignore|\\.only\\("].join(""));
  expect(written.filter((path) => path !== "test/tidy.test.ts" && marks.test(text(path)))).toEqual(
    [],
  );
});

test("no file names a machine or the host of a registry", () => {
  const hosts = new RegExp(
    [
      "registry\\.np",
      "mjs|registry\\.ya",
      "rnpkg|deb\\.deb",
      "ian\\.org|(?<![\\w.])/wo",
      "rk/|/ro",
      "ot/",
    ].join(""),
  );
  expect(written.filter((path) => hosts.test(text(path)))).toEqual([]);
});

test("the lockfile records no download addresses", () => {
  expect(text("package-lock.json")).not.toMatch(/"resolved"/);
});
