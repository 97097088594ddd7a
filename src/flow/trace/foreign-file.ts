import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { BLOCK_BYTES } from "../../base/index.ts";

const MAGIC_AT = 257;

/**
 * What a file is that was never a bundle: no tar at all, so that checking it against the rules of
 * bundles would only bury that. Undefined for anything that could be a bundle, whole or broken.
 */
export function foreignFile(path: string): string | undefined {
  const { bytes, isFile } = beginning(path);
  if (!isFile) return undefined;
  if (bytes.length === 0) return "an empty file";
  const name = bytes.toString("latin1", 0, 11);
  const isTar = bytes.toString("latin1", MAGIC_AT, MAGIC_AT + 5) === "ustar";
  return isTar || "checkpoint\0".startsWith(name) ? undefined : "a file that is no tar";
}

function beginning(path: string): { bytes: Buffer; isFile: boolean } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) return { bytes: Buffer.alloc(0), isFile: false };
    const bytes = Buffer.alloc(BLOCK_BYTES);
    return { bytes: bytes.subarray(0, readSync(fd, bytes, 0, BLOCK_BYTES, 0)), isFile: true };
  } finally {
    closeSync(fd);
  }
}
