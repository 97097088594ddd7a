import { type Dirent, existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const ENTRIES_MAX = 5_000_000;
const SAVED_GIT = ".git-saved";
const SLASH = Buffer.from("/");

/**
 * Removes every named pipe from a folder. A pipe holds nothing that could be kept, and git opens some
 * files by their name alone, such as `.gitignore`: it would wait for a writer for ever.
 */
export function removePipes(top: string): void {
  const folders: Buffer[] = [Buffer.from(top)];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      count += 1;
      // More than git's own listing may have: whoever lists them says so.
      if (count > ENTRIES_MAX) return;
      const path = within(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFIFO()) rmSync(path, { force: true });
    }
  }
}

/**
 * Gives every repository at or below a folder another name: its own hides files from git, and under
 * another one nothing is hidden or obeyed.
 *
 * @returns false when there are more entries than may be looked at
 */
export function uncover(top: Buffer, entriesMax: number): boolean {
  const hidden = parentsOf(top, ".git", entriesMax);
  if (hidden === undefined) return false;
  // The innermost first: what lies above is still called what it was called when it was listed.
  for (const parent of hidden.toSorted((a, b) => b.length - a.length)) {
    renameSync(within(parent, ".git"), freeName(parent));
  }
  return true;
}

/** Something of that name may be there from an earlier run. */
function freeName(parent: Buffer): Buffer {
  let path = within(parent, SAVED_GIT);
  for (let number = 2; existsSync(path); number += 1)
    path = within(parent, `${SAVED_GIT}-${number}`);
  return path;
}

/**
 * The folders at or below one that have something of a name in them; undefined when there are more
 * entries than may be looked at.
 */
function parentsOf(top: Buffer, name: string, entriesMax: number): Buffer[] | undefined {
  const folders = [top];
  const found: Buffer[] = [];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      count += 1;
      if (count > entriesMax) return undefined;
      if (entry.name.equals(Buffer.from(name))) found.push(folder);
      if (entry.isDirectory()) folders.push(within(folder, entry.name));
    }
  }
  return found;
}

/** A path, with names as bytes. */
export function within(folder: Buffer, name: Buffer | string): Buffer {
  return Buffer.concat([folder, SLASH, Buffer.from(name)]);
}

/** Names as bytes: not all of them are text. */
function entriesOf(folder: Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { encoding: "buffer", withFileTypes: true });
  } catch {
    // Too deep to be named, or closed even to us: git will say so.
    return [];
  }
}

/**
 * The submodules of a commit whose folders a run put something into. Of a submodule git asks its own
 * repository what changed, and that repository's settings can name programs: a run that made one
 * there would have them started outside of its sandbox.
 *
 * @param links as bytes in characters
 */
export function filledLinks(top: string, links: readonly string[]): string[] {
  return links.filter((link) => {
    const path = Buffer.concat([Buffer.from(join(top, "/")), Buffer.from(link, "latin1")]);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && (!found.isDirectory() || entriesOf(path).length > 0);
  });
}
