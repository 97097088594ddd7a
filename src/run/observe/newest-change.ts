import { lstatSync, opendirSync } from "node:fs";
import { join, posix } from "node:path";

const ENTRIES_MAX = 500_000;
/** One that the run made at the top: it is never read, and so it is no part of the tree. */
const OWN_REPOSITORY = ".git";

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
  const paths = ignored.map(withoutSlash);
  const excused = new Set(paths.map(parentOf));
  let newestMs = 0;
  let count = 0;
  try {
    for (const path of pathsIn(top, new Set([OWN_REPOSITORY, ...paths]))) {
      count += 1;
      if (count > ENTRIES_MAX) return undefined;
      if (excused.has(path)) continue;
      newestMs = Math.max(newestMs, lstatSync(join(top, path)).ctimeMs);
    }
    return newestMs;
  } catch {
    // Too deep to be named, or not to be read: then nobody knows.
    return undefined;
  }
}

/** Everything below a folder and the folder itself, which is the empty path. */
function* pathsIn(top: string, left: ReadonlySet<string>): Generator<string> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    yield folder;
    for (const entry of entriesOf(join(top, folder))) {
      const path = posix.join(folder, entry.name);
      if (left.has(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else yield path;
    }
  }
}

function* entriesOf(path: string) {
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
  } finally {
    folder.closeSync();
  }
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
