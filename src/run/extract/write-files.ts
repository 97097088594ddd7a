import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { assert, writeAll } from "../../base/index.ts";
import {
  assertProc,
  close,
  type Folder,
  nameIn,
  openFolder,
  openTop,
  systemCode,
} from "../collect/beneath.ts";
import type { ExtractedFile } from "./extract-files.ts";
import type { RefusedPart } from "./part.ts";

/** Which files were written, and which were not because of what is in their place. */
export interface WrittenFiles {
  readonly written: readonly ExtractedFile[];
  readonly refused: readonly RefusedPart[];
}

/**
 * Writes files below a folder that is there, each of them whole or not at all. Every folder on the way is opened
 * from the one above it, so that a link, there before or put there meanwhile, leads nowhere. A plain
 * file in the place is replaced; anything else stays and the file is refused.
 *
 * @throws SwornError `STORE_UNREADABLE` without `/proc`; what the system says when a disk is full.
 */
export function writeFiles(folder: string, files: readonly ExtractedFile[]): WrittenFiles {
  assertProc();
  const top = openTop(folder);
  const written: ExtractedFile[] = [];
  const refused: RefusedPart[] = [];
  try {
    for (const file of files) {
      const reason = writeBeneath(top, file);
      if (reason === undefined) written.push(file);
      else refused.push({ path: file.path, reason, lines: file.lines });
    }
  } finally {
    close(top);
  }
  return { written, refused };
}

function writeBeneath(top: Folder, { path, content }: ExtractedFile): string | undefined {
  const parts = path.split("/");
  const name = parts.pop();
  assert(name !== undefined && name !== "" && !parts.includes(".."), "a taken path is a safe one");
  let folder = top;
  try {
    for (const part of parts) {
      const inner = enterFolder(folder, part);
      if (typeof inner === "string") return inner;
      if (folder !== top) close(folder);
      folder = inner;
    }
    return replaceFile(folder, Buffer.from(name), Buffer.from(content));
  } finally {
    if (folder !== top) close(folder);
  }
}

/** The folder of that name, made where there is none; a reason where something else has the name. */
function enterFolder(folder: Folder, part: string): Folder | string {
  const name = Buffer.from(part);
  try {
    mkdirSync(nameIn(folder, name), 0o755);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
  try {
    return openFolder(folder, name);
  } catch (error) {
    if (!["ELOOP", "ENOTDIR"].includes(systemCode(error))) throw error;
    return `${part} on the way is a link or no folder; nothing is written through it`;
  }
}

const WORLD_READABLE = 0o644;
/** A file of this size is not replaced by one of a third of it: that is how a piece looks that passes for the whole. */
const LARGE_BYTES = 1_500;
const PIECE_TIMES = 3;

/** Puts a file in its place by renaming, so that a reader sees the old one or the new one. */
function replaceFile(folder: Folder, name: Buffer, bytes: Buffer): string | undefined {
  const place = nameIn(folder, name);
  const there = lstatSync(place, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    return "something that is no plain file is in its place; it stays as it is";
  }
  if (there !== undefined && there.size >= LARGE_BYTES && bytes.length * PIECE_TIMES < there.size) {
    return `the file in its place has ${there.size} bytes and this has ${bytes.length}, as a piece of it would have; give the whole file, or take the old one away first`;
  }
  const temporary = nameIn(folder, Buffer.from(`.sworn-${randomBytes(8).toString("hex")}.tmp`));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(temporary, flags, WORLD_READABLE);
  try {
    writeAll(fd, bytes);
    // An update changes what a file holds, not who may run it.
    if (there !== undefined) fchmodSync(fd, there.mode & 0o777);
    fsyncSync(fd);
    renameSync(temporary, place);
    fsyncSync(folder.fd);
    return undefined;
  } catch (error) {
    rmSync(temporary.toString(), { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
