import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { isNoRoom, saidOf } from "../base/index.ts";
import { findStore } from "../flow/place.ts";
import { stateFolder } from "./config.ts";
import type { Io } from "./io.ts";

/** What SQLite says of a full disk as well as of a broken one. */
const UNCLEAR = /disk I\/O error/i;
const READ_ONLY = /EROFS|read-only file system/i;
/** With less than this on a disk, that is why. */
const SHORT_BYTES = 256 << 10;
const MIB = 1 << 20;

/**
 * What is left on each disk that is written to, and what to do; undefined where an error is not about
 * a disk that takes nothing. A failed write seldom knows its file, and never how full which disk is.
 */
export function roomWords(error: unknown, io: Io): string | undefined {
  if (READ_ONLY.test(saidOf(error))) return "make that disk writable, then say the same again";
  const isFull = isNoRoom(error);
  if (!isFull && !UNCLEAR.test(saidOf(error))) return undefined;
  const disks = [
    { what: "records", path: findStore(io.cwd, io.home) },
    { what: "keys and heads", path: stateOf(io) },
    { what: "temporary files", path: tmpdir() },
  ].map(({ what, path }) => ({ what, path, ...roomAt(path) }));
  const isShort = disks.some(({ bytes, files }) => bytes < SHORT_BYTES || files === 0);
  if (!isFull && !isShort) return undefined;
  const left = disks.map(({ what, path, ...room }) => `${shown(room)} for ${what} (${path})`);
  return `a disk is full; left: ${left.join(", ")}. What was acknowledged is kept: make room, then say the same again; what was begun goes on with "sworn resume"`;
}

function stateOf(io: Io): string {
  try {
    return stateFolder(io);
  } catch {
    // Told by whatever uses it; here it only goes with another error.
    return io.home;
  }
}

/** On the disk of a folder, or of the nearest above it that is there. */
function roomAt(path: string): { bytes: number; files: number } {
  const there = nearest(path);
  try {
    const { bavail, bsize, files, ffree } = statfsSync(there);
    // Some file systems count no files at all.
    return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
  } catch {
    // What cannot be asked is not the one to be named.
    return { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };
  }
}

function nearest(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function shown({ bytes, files }: { readonly bytes: number; readonly files: number }): string {
  if (files === 0) return "no more files";
  if (bytes === Number.POSITIVE_INFINITY) return "an unknown size";
  return bytes < SHORT_BYTES
    ? `${Math.floor(bytes / 1_024)} KiB`
    : `${(bytes / MIB).toFixed(1)} MiB`;
}
