import { type Dirent, lstatSync, opendirSync } from "node:fs";
import { join, posix } from "node:path";

const ENTRIES_MAX = 500_000;
/** One that the run made at the top: it is never read, and so it is no part of the tree. */
const OWN_REPOSITORY = ".git";
/** What test runners leave beside the tests in every run, and make anew when it is not there. */
const CACHE = /(?:^|\/)(?:__pycache__|\.pytest_cache)(?:\/|$)/;

/** Whether a path is only what somebody keeps to be quicker the next time, or lies in it. */
export function isCache(path: string): boolean {
  return CACHE.test(path);
}

/**
 * When anything of a tree was changed last, in milliseconds since 1970; undefined when that cannot
 * be said. What git ignores does not count, and neither does a folder in which something ignored
 * lies: that may be all that changed in it. The time is the kernel's own (`ctime`), which a program
 * cannot set, but which is a little coarse, and which some file systems do not keep for files that
 * are written through memory: it tells which test run is worth repeating, and confirms nothing.
 *
 * @param ignored As git lists them: relative to the top, folders with a slash at their end.
 */
export function newestChange(top: string, ignored: readonly string[]): number | undefined {
  try {
    return newestIn(top, new Set([OWN_REPOSITORY, ...ignored.map(withoutSlash)]));
  } catch {
    // Too deep to be named, or not to be read: then nobody knows.
    return undefined;
  }
}

function newestIn(top: string, left: ReadonlySet<string>): number | undefined {
  const folders = [""];
  let newestMs = 0;
  let count = 0;
  while (folders.length > 0) {
    const folder = folders.pop() ?? "";
    const { entries, isExcused } = listed(join(top, folder), folder, left);
    count += entries.length + 1;
    if (count > ENTRIES_MAX) return undefined;
    if (!isExcused) newestMs = Math.max(newestMs, lstatSync(join(top, folder)).ctimeMs);
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else newestMs = Math.max(newestMs, lstatSync(join(top, path)).ctimeMs);
    }
  }
  return newestMs;
}

/** What counts in a folder, up to the bound, and whether there is something that does not. */
function listed(path: string, folder: string, left: ReadonlySet<string>) {
  const entries: Dirent[] = [];
  let isExcused = false;
  const opened = opendirSync(path);
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (left.has(posix.join(folder, entry.name)) || isCache(entry.name)) isExcused = true;
      else if (entries.push(entry) > ENTRIES_MAX) break;
    }
  } finally {
    opened.closeSync();
  }
  return { entries, isExcused };
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
