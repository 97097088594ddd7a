import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf, SwornError } from "./error.ts";

/**
 * Writes a whole file so that a reader, or a power cut, sees the old content or the new one and
 * nothing between: temporary file, fsync, rename, fsync of the folder.
 */
export function writeFileDurably(path: string, data: string | Uint8Array, mode = 0o644): void {
  writeFileWhole(path, data, mode);
  syncFolder(dirname(path));
}

/** The same, but for the name: after a power cut the old content may be back, or no file, until the folder is synced. */
export function writeFileWhole(path: string, data: string | Uint8Array, mode = 0o644): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  writeNewFile(temporary, data, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** Of a write that fails Node.js tells no file, as it does where one cannot be opened. */
function namingFile(error: unknown, path: string): unknown {
  if (!(error instanceof Error && "code" in error) || "path" in error) return error;
  const named = new Error(`${error.message} '${path}'`, { cause: error });
  return Object.assign(named, { code: error.code, path });
}

/** Writes a file that is not there yet, on disk when it returns; nothing half-written is left. */
export function writeNewFile(path: string, data: string | Uint8Array, mode: number): void {
  const fd = openSync(path, "wx", mode);
  try {
    writeAll(fd, Buffer.from(data));
    fsyncSync(fd);
  } catch (error) {
    removeQuietly(path);
    throw namingFile(error, path);
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a plain file for reading. A pipe or a device in its place would be read for ever, and while
 * a read blocks, not even Ctrl-C is heard.
 *
 * @throws SwornError `INPUT_INVALID` when it is something else; what opening throws otherwise.
 */
export function openPlainFile(path: string, links: "follow" | "refuse" = "follow"): number {
  const noFollow = links === "refuse" ? constants.O_NOFOLLOW : 0;
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new SwornError("INPUT_INVALID", `${path} is not a plain file`);
}

/**
 * Reads a plain file of at most so many bytes.
 *
 * @throws SwornError `INPUT_INVALID`, `LIMIT_EXCEEDED`; what opening and reading throw otherwise.
 */
export function readPlainFile(
  path: string,
  bytesMax: number,
  links: "follow" | "refuse" = "follow",
): Buffer {
  const fd = openPlainFile(path, links);
  try {
    const { size } = fstatSync(fd);
    if (size > bytesMax) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `${path} has ${size} bytes, expected at most ${bytesMax}`,
      );
    }
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes what an error left behind; a second error here would only hide the first. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The caller reports why it came to this.
  }
}

/** Writes all bytes: one call may write only a part of them. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/** Makes what was written into a file durable. */
export const syncFile = syncFolder;

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * One step at a time: asked for all of them at once, Node.js tries without end where there can be none,
 * as below /proc.
 *
 * @returns the topmost folder that had to be made
 */
function makeFolders(path: string, mode: number): string | undefined {
  try {
    return makeOne(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
  }
  const above = makeFolders(dirname(path), mode);
  const own = makeOne(path, mode);
  return above ?? own;
}

/** @returns undefined where it was there. */
function makeOne(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" && statSync(path).isDirectory())
      return undefined;
    throw error;
  }
}

/** @throws SwornError `STORE_READ_ONLY` where it cannot be made. */
function madeFirst(path: string, mode: number): string | undefined {
  try {
    return makeFolders(path, mode);
  } catch (cause) {
    const why = messageOf(cause);
    throw new SwornError("STORE_READ_ONLY", `the folder ${path} cannot be made: ${why}`, { cause });
  }
}

/**
 * Creates a folder and its parents, their names durable, readable by the owner alone where asked.
 *
 * @returns the topmost folder that had to be made
 */
export function ensureFolder(path: string, mode = 0o755): string | undefined {
  const first = madeFirst(resolve(path), mode);
  if (first === undefined) return undefined;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made)) {
    syncFolder(dirname(made));
  }
  return first;
}
