import { type Dirent, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const ENTRIES_MAX = 5_000_000;
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
 * The folders at or below one that have something of a name in them; undefined when there are more
 * entries than may be looked at.
 */
export function parentsOf(top: Buffer, name: string, entriesMax: number): Buffer[] | undefined {
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
