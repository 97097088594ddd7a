import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { writeAll } from "../../../base/index.ts";
import { chunksOf } from "../compare-output.ts";

/** Writes one member of a packet into its folder, where nothing of that name is yet. */
export function writeMember(path: string, chunks: Iterable<Buffer>): void {
  // The tar is what lasts; this folder is made anew from the record whenever it is asked for.
  const fd = openSync(path, "wx", 0o600);
  try {
    for (const chunk of chunks) writeAll(fd, chunk);
  } finally {
    closeSync(fd);
  }
}

/** How long a file is, and its SHA-256. */
export function measureFile(path: string): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const chunk of chunksOf(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
