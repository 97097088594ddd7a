import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { readPlainFile } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import type { SourceEntry, SourceTree } from "../../verify/citation/index.ts";

const FILE_BYTES_MAX = 16 << 20;

/**
 * The files of the work tree as they lie there now: an agent that has just worked speaks of these.
 * Nothing in it is run or obeyed, and no link in it is followed.
 */
export function projectFiles(
  repository: Pick<Repository, "root">,
  known: readonly string[],
  uncommitted: readonly string[],
): SourceTree {
  const root = realpathSync(repository.root);
  return {
    find: async (path) => entryAt(root, path),
    paths: async () =>
      [...new Set([...known, ...uncommitted])].filter((path) => isThere(root, path)),
  };
}

/** Whether something lies at this path of the work tree, whatever it is. */
export function isThere(root: string, path: string): boolean {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}

function entryAt(root: string, path: string): SourceEntry {
  const full = join(root, path);
  const stat = lstatSync(full, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return { kind: "absent" };
  if (stat.isSymbolicLink()) return { kind: "link" };
  if (stat.size > FILE_BYTES_MAX) return { kind: "too-large", size: stat.size };
  try {
    const folder = realpathSync(dirname(full));
    const isInside = folder === root || folder.startsWith(root + sep);
    if (!isInside) return { kind: "unreadable", why: "its folder is a link that leads elsewhere" };
    return { kind: "file", bytes: readPlainFile(full, FILE_BYTES_MAX, "refuse"), at: "head" };
  } catch {
    return { kind: "unreadable", why: "it cannot be read" };
  }
}
