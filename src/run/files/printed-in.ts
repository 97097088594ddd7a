import { closeSync, fstatSync, readSync } from "node:fs";
import { openPlainFile } from "../../base/index.ts";

/** What a run printed, from its file: the beginning or the end of it, of at most so many bytes. */
export function printedIn(path: string, bytesMax: number, part: "beginning" | "end"): Buffer {
  const fd = openPlainFile(path);
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, bytesMax));
    const from = part === "end" ? size - bytes.length : 0;
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(fd, bytes, read, bytes.length - read, from + read);
      if (more === 0) break;
      read += more;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}
