import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { writeAll } from "../../base/index.ts";
import { close, type Folder, nameIn, openFolder } from "./beneath.ts";
import type { SeenFile } from "./walk-output.ts";

/** A file that was read to its end and did not change meanwhile. */
export interface CopiedFile {
  readonly bytes: number;
  readonly sha256: string;
}

const CHUNK_BYTES = 1 << 20;

/**
 * Reads a file that was seen before, from the folder at the top down, and writes it to `target`
 * where one is given. What is hashed, copied and later judged are the same bytes: the task could
 * have left something running that changes the file between two readings.
 *
 * Gives back the reason when it is another file by now, or changed while it was read.
 */
export function copyFile(top: Folder, file: SeenFile, target?: number): CopiedFile | string {
  const fd = openBeneath(top, file.names);
  try {
    const before = fstatSync(fd);
    if (!isSame(before, file.stat)) return "it changed after it was seen";
    const copied = readAll(fd, before.size, target);
    if (copied === undefined || !isSame(fstatSync(fd), before)) {
      return "it changed while it was read";
    }
    return copied;
  } finally {
    closeSync(fd);
  }
}

function openBeneath(top: Folder, names: readonly Buffer[]): number {
  let folder = top;
  try {
    for (const name of names.slice(0, -1)) {
      const inside = openFolder(folder, name);
      if (folder !== top) close(folder);
      folder = inside;
    }
    // Should a pipe have taken the file's place, opening it must not wait for its other end.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    return openSync(nameIn(folder, names.at(-1) as Buffer), flags);
  } finally {
    if (folder !== top) close(folder);
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return (
    one.isFile() &&
    one.dev === other.dev &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs
  );
}

/** Exactly as many bytes as it said; undefined when it is shorter or longer. */
function readAll(fd: number, size: number, target: number | undefined): CopiedFile | undefined {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, size + 1)));
  let bytes = 0;
  for (;;) {
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) break;
    bytes += read;
    if (bytes > size) return undefined;
    const part = chunk.subarray(0, read);
    hash.update(part);
    if (target !== undefined) writeAll(target, part);
  }
  return bytes === size ? { bytes, sha256: hash.digest("hex") } : undefined;
}
