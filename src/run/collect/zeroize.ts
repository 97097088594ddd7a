import {
  chmodSync,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { type Folder, pathOf, statOf } from "./beneath.ts";

const CHUNK_BYTES = 1 << 20;
const BLOCK_BYTES = 512;
/** A file so many times as long as its data is only cut: a hole of eight terabytes has no end. */
const HOLES_FACTOR = 64;
/** Shorter files are written over whatever their holes. */
const PLAIN_BYTES_MAX = 16 * CHUNK_BYTES;

const ZEROS = Buffer.alloc(CHUNK_BYTES);

/**
 * Writes zeros over a plain file that is held, and waits until they are on the disk: what is removed
 * before that is never written. Gives back how many bytes, or undefined when it was only cut.
 */
export function zeroize(held: Folder): number | undefined {
  const fd = openWritable(held);
  if (fd === undefined) return undefined;
  try {
    const { size, blocks } = fstatSync(fd);
    const data = blocks * BLOCK_BYTES;
    if (size > PLAIN_BYTES_MAX && size > data * HOLES_FACTOR) {
      ftruncateSync(fd, 0);
      return undefined;
    }
    writeOver(fd, size, data < size);
    fdatasyncSync(fd);
    return size;
  } finally {
    closeSync(fd);
  }
}

/** Opens exactly the file that is held, also one whose owner may not write it. */
function openWritable(held: Folder): number | undefined {
  const flags = constants.O_RDWR | constants.O_NONBLOCK;
  try {
    // Changing the mode goes through the handle: a path could lead to another file by now.
    chmodSync(pathOf(held), 0o600 | (statOf(held).mode & 0o077));
    return openSync(pathOf(held), flags);
  } catch {
    // Of another owner, or immutable. Removing it is still tried, and says if that fails.
    return undefined;
  }
}

function writeOver(fd: number, size: number, hasHoles: boolean): void {
  const chunk = hasHoles ? Buffer.allocUnsafe(CHUNK_BYTES) : ZEROS;
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, size - at);
    // Zeros written into a hole would fill the disk.
    if (hasHoles && isZero(chunk.subarray(0, readSync(fd, chunk, 0, length, at)))) continue;
    writeSync(fd, ZEROS, 0, length, at);
  }
}

function isZero(bytes: Buffer): boolean {
  return bytes.equals(ZEROS.subarray(0, bytes.length));
}
