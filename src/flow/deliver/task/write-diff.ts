import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { writeAll } from "../../../base/index.ts";
import type { Repository } from "../../../repo/index.ts";

/** The longest change that is delivered; git itself would take longer ones. */
const DIFF_BYTES_MAX = 64 << 20;
/** How much of its beginning can be shown. */
const BEGIN_BYTES_MAX = 1 << 16;
const LINE_FEED = 10;
/** What git writes before the bytes of a file that is no text; lines of texts begin with a sign. */
const BINARY = "\nGIT binary patch\n";

/** A change that was written to a file. */
export interface WrittenDiff {
  readonly sha256: string;
  /** How it begins, and how many lines it has. */
  readonly begin: string;
  readonly lines: number;
  readonly hasBinaries: boolean;
}

/** The change as a file, piece by piece: it may be long, and of its words only the first are shown. */
export async function writeDiff(
  repository: Repository,
  start: string,
  commit: string,
  path: string,
): Promise<WrittenDiff> {
  const hash = createHash("sha256");
  const begin: Buffer[] = [];
  let [kept, lines] = [0, 0];
  let [hasBinaries, tail] = [false, Buffer.alloc(0)];
  const fd = openSync(path, "wx", 0o600);
  try {
    for await (const chunk of repository.changeDiff(start, commit, DIFF_BYTES_MAX)) {
      hash.update(chunk);
      writeAll(fd, chunk);
      for (const byte of chunk) if (byte === LINE_FEED) lines += 1;
      const joined = Buffer.concat([tail, chunk]);
      hasBinaries ||= joined.includes(BINARY);
      tail = joined.subarray(-BINARY.length);
      if (kept >= BEGIN_BYTES_MAX) continue;
      begin.push(Buffer.from(chunk.subarray(0, BEGIN_BYTES_MAX - kept)));
      kept += chunk.length;
    }
  } finally {
    closeSync(fd);
  }
  const text = Buffer.concat(begin).toString("utf8");
  return { sha256: hash.digest("hex"), begin: text, lines, hasBinaries };
}
