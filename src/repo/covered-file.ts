import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { SwornError } from "../base/index.ts";
import type { Git } from "./git.ts";

const INDEX_BYTES_MAX = 256 * (1 << 20);
const ENTRIES_MAX = 100_000;

/**
 * Finds a file of the user's that git does not know and that a new file would replace. Git itself
 * protects what is untracked, but not what is ignored as well: whoever takes a name out of
 * `.gitignore` could so have the user's `.env` or his whole build folder overwritten.
 *
 * @param names new files, as bytes in characters, relative to the folder
 * @returns a path in the same form; undefined when there is none
 */
export async function coveredFile(
  git: Git,
  folder: string,
  names: readonly string[],
): Promise<string | undefined> {
  const inTheWay = [...new Set(names.flatMap((name) => foundAt(folder, name)))];
  if (inTheWay.length === 0) return undefined;
  const known = await trackedFiles(git);
  for (const name of inTheWay) {
    const lost = filesAt(folder, name).find((one) => !known.has(one));
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/** The name itself where something is there, or the first part of it that is no folder. */
function foundAt(folder: string, name: string): string[] {
  const parts = name.split("/");
  for (let count = 1; count <= parts.length; count += 1) {
    const path = parts.slice(0, count).join("/");
    const found = lstatSync(bytesOf(folder, path), { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (count === parts.length || !found.isDirectory()) return [path];
  }
  return [];
}

/** Every file at or below a path. */
function filesAt(folder: string, top: string): string[] {
  if (!lstatSync(bytesOf(folder, top)).isDirectory()) return [top];
  const files: string[] = [];
  const folders = [top];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of entriesOf(bytesOf(folder, at))) {
      const path = posix.join(at, Buffer.from(entry.name).toString("latin1"));
      (entry.isDirectory() ? folders : files).push(path);
    }
    if (files.length + folders.length > ENTRIES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `${top} has more than ${ENTRIES_MAX} files in it`);
    }
  }
  return files;
}

const entriesOf = (path: Buffer): Dirent<Buffer>[] =>
  readdirSync(path, { encoding: "buffer", withFileTypes: true });

function bytesOf(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(join(folder, "/")), Buffer.from(name, "latin1")]);
}

async function trackedFiles(git: Git): Promise<ReadonlySet<string>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of git.stream(["ls-files", "-z", "--cached", "--full-name"])) {
    size += chunk.length;
    if (size > INDEX_BYTES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `the index lists more than ${INDEX_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return new Set(Buffer.concat(chunks).toString("latin1").split("\0"));
}
