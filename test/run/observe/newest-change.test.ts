import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { newestChange } from "../../../src/run/observe/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

function tree(...paths: string[]) {
  const top = temporaryFolder();
  const put = (path: string) => {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), "x");
  };
  for (const path of paths) put(path);
  return { top, put };
}

/** The kernel's clock for changes is coarse: waits until it has gone on. */
function passTime(folder: string): void {
  const before = newestChange(folder, []) ?? 0;
  const path = join(temporaryFolder(), "now");
  do writeFileSync(path, "x");
  while (statSync(path).ctimeMs <= before);
}

test("a change of a file, a new one and one that is gone are all seen, whatever its times are set to", () => {
  const { top, put } = tree("a.txt", "src/b.txt", "src/deep/c.txt");
  for (const change of [
    () => put("src/deep/c.txt"),
    () => put("src/new.txt"),
    () => rmSync(join(top, "src/new.txt")),
    () => symlinkSync("nowhere", join(top, "link")),
    () => utimesSync(join(top, "a.txt"), 1, 1),
  ]) {
    const before = newestChange(top, []) ?? Number.NaN;
    passTime(top);
    change();
    expect(newestChange(top, [])).toBeGreaterThan(before);
  }
});

test("what git ignores, caches and a repository of its own at the top do not count", () => {
  const { top, put } = tree("a.txt", "src/b.txt", "dist/x", ".git/HEAD", "__pycache__/a.pyc");
  put("src/.env");
  const ignored = ["dist/", "src/.env"];
  const before = newestChange(top, ignored);
  passTime(top);
  for (const path of ["dist/y", "src/.env", ".git/index", "src/__pycache__/b.pyc"]) put(path);
  expect(newestChange(top, ignored)).toBe(before);
  expect(newestChange(top, [])).toBeGreaterThan(before ?? 0);
});

test("of what is not there nothing is said", () => {
  expect(newestChange(join(temporaryFolder(), "gone"), [])).toBe(undefined);
});
