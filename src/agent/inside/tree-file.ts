import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { CallRefused, pathInTree } from "./tree-path.ts";

const READ_BYTES_MAX = 8 << 20;
const WRITE_BYTES_MAX = 8 << 20;
/** A pipe that nobody writes to would be waited for without end; a link was followed already. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITING =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_TRUNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

/**
 * The text of a file of the work tree.
 *
 * @throws CallRefused for anything that is not a readable file with text, of a size that can be read.
 */
export function readTreeFile(tree: string, path: unknown): string {
  const bytes = readBytes(pathInTree(tree, path), String(path));
  if (bytes.includes(0)) throw new CallRefused(`${path} is no text: it has NUL bytes`);
  return bytes.toString("utf8");
}

function readBytes(real: string, path: string): Buffer {
  return using(real, path, READING, (descriptor) => {
    const { size } = fstatSync(descriptor);
    if (size > READ_BYTES_MAX) {
      throw new CallRefused(`${path} has ${size} bytes, expected at most ${READ_BYTES_MAX}`);
    }
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(descriptor, bytes, filled, size - filled, filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  });
}

/**
 * Writes a whole file of the work tree, and the folders that lead to it.
 *
 * @throws CallRefused
 */
export function writeTreeFile(tree: string, path: unknown, content: unknown): number {
  if (typeof content !== "string") throw new CallRefused("expected the content as text");
  const bytes = Buffer.from(content);
  if (bytes.length > WRITE_BYTES_MAX) {
    const most = `expected at most ${WRITE_BYTES_MAX} bytes`;
    throw new CallRefused(`${path} would have ${bytes.length} bytes, ${most}`);
  }
  const real = pathInTree(tree, path);
  try {
    mkdirSync(dirname(real), { recursive: true });
  } catch (error) {
    throw new CallRefused(`${path} cannot be written: ${(error as Error).message}`);
  }
  return using(real, String(path), WRITING, (descriptor) => {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    return written;
  });
}

/** Opens what has to be an ordinary file, and closes it whatever happens. */
function using<T>(real: string, path: string, flags: number, act: (descriptor: number) => T): T {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(real, flags, 0o644);
    if (!fstatSync(descriptor).isFile()) throw new CallRefused(`${path} is no ordinary file`);
    return act(descriptor);
  } catch (error) {
    if (error instanceof CallRefused) throw error;
    throw new CallRefused(`${path} cannot be used: ${(error as Error).message}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
