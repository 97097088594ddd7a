import { randomBytes } from "node:crypto";
import {
  chmodSync,
  constants,
  type Dirent,
  lstatSync,
  opendirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { SwornError } from "../../base/index.ts";
import {
  assertProc,
  close,
  type Folder,
  hasMountsBeneath,
  holdName,
  nameIn,
  O_PATH,
  openFolder,
  openTop,
  pathOf,
  statOf,
  systemCode,
} from "./beneath.ts";
import { zeroize } from "./zeroize.ts";

/** What was removed. */
export interface Removed {
  readonly entries: number;
  readonly zeroizedBytes: number;
  /** Files whose content was not written over: they had another name, mostly holes, or came late. */
  readonly notZeroized: number;
}

/** After so long files are only removed: on a disk, waiting for the zeros takes milliseconds a file. */
const ZEROIZE_MS_MAX = 10_000;
/** Names are read from the system in groups of this size. */
const NAMES_AT_ONCE = 256;
/** Each pass removes something; a tree that is not empty after so many is being filled. */
const PASSES_MAX = 10_000_000;

/**
 * Removes a workspace with everything in it, and writes zeros over the files first. No link is
 * followed, nothing that is mounted inside is entered, and a file that still has a name elsewhere
 * keeps its content there. Folders are brought to the top one by one, so that neither their depth
 * nor the length of a path matters. On disks that never write in place the zeros are a best effort;
 * the removal is not. A workspace that is not there is removed already.
 *
 * @throws SwornError `STORE_UNREADABLE` when something cannot be removed; trying again goes on where
 * it stopped.
 */
export function removeTree(path: string): Removed {
  assertProc();
  const removal: Removal = { entries: 0, zeroizedBytes: 0, notZeroized: 0, until: 0 };
  removal.until = performance.now() + ZEROIZE_MS_MAX;
  try {
    const top = openRoot(path);
    if (top !== undefined) emptyAndRemove(top, path, removal);
  } catch (cause) {
    const reason = cause instanceof SwornError ? cause.message : systemCode(cause);
    throw new SwornError(
      "STORE_UNREADABLE",
      `the workspace ${path} cannot be removed (${reason}); look what holds it and try again`,
      { cause },
    );
  }
  const { entries, zeroizedBytes, notZeroized } = removal;
  return { entries, zeroizedBytes, notZeroized };
}

function emptyAndRemove(top: Folder, path: string, removal: Removal): void {
  try {
    if (hasMountsBeneath(top)) {
      throw new SwornError("PATH_ESCAPES", "something is mounted inside; unmount it first");
    }
    eachName(top, (name) => removeName(top, top, name, removal));
  } finally {
    close(top);
  }
  rmdirSync(path);
}

interface Removal {
  entries: number;
  zeroizedBytes: number;
  notZeroized: number;
  until: number;
}

/** A folder without any permission is made ours first; undefined when there is none. */
function openRoot(path: string): Folder | undefined {
  const held = heldRoot(path);
  if (held === undefined) return undefined;
  try {
    if (statOf(held).isDirectory()) chmodSync(pathOf(held), 0o700);
  } finally {
    close(held);
  }
  return openTop(path);
}

function heldRoot(path: string): Folder | undefined {
  try {
    return { fd: openSync(path, O_PATH | constants.O_NOFOLLOW) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Calls for every name in a folder until none is left. */
function eachName(folder: Folder, remove: (name: Buffer) => void): void {
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const entries = opendirSync(pathOf(folder), {
      // The types know text alone; names are bytes, and need not be text.
      encoding: "buffer" as BufferEncoding,
      bufferSize: NAMES_AT_ONCE,
    });
    let count = 0;
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        count += 1;
        remove(bytesOf(entry));
      }
    } finally {
      entries.closeSync();
    }
    if (count === 0) return;
  }
  throw new SwornError("LIMIT_EXCEEDED", "a folder is filled faster than it can be emptied");
}

function bytesOf({ name }: Dirent): Buffer {
  return Buffer.from(name);
}

function removeName(top: Folder, folder: Folder, name: Buffer, removal: Removal): void {
  const seen = lstatSync(nameIn(folder, name));
  if (seen.isDirectory()) {
    makeOurs(folder, name);
    if (folder === top) removeFolder(top, name, removal);
    else renameSync(nameIn(folder, name), nameIn(top, freshName()));
    return;
  }
  if (seen.isFile()) zeroizeName(folder, name, removal);
  unlinkSync(nameIn(folder, name));
  removal.entries += 1;
}

/** Moving a folder needs the right to write in it, since its way up changes. */
function makeOurs(folder: Folder, name: Buffer): void {
  const held = holdName(folder, name);
  try {
    if (statOf(held).isDirectory()) chmodSync(pathOf(held), 0o700);
  } finally {
    close(held);
  }
}

/** A second name keeps the content, here or elsewhere; the last of them that is here is zeroized. */
function zeroizeName(folder: Folder, name: Buffer, removal: Removal): void {
  const held = holdName(folder, name);
  try {
    const stat = statOf(held);
    const isOurs = stat.isFile() && stat.nlink === 1 && performance.now() < removal.until;
    const bytes = isOurs ? zeroize(held) : undefined;
    if (bytes === undefined) removal.notZeroized += 1;
    else removal.zeroizedBytes += bytes;
  } finally {
    close(held);
  }
}

function removeFolder(top: Folder, name: Buffer, removal: Removal): void {
  const folder = openFolder(top, name);
  try {
    eachName(folder, (inside) => removeName(top, folder, inside, removal));
  } finally {
    close(folder);
  }
  rmdirSync(nameIn(top, name));
  removal.entries += 1;
}

function freshName(): Buffer {
  return Buffer.from(`.${randomBytes(12).toString("hex")}`);
}
