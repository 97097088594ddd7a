import { SwornError } from "../base/index.ts";

/** A path as git stores it: bytes, which need not be text. */
export interface GitPath {
  /** Relative to the root, with forward slashes; bytes that are no UTF-8 are shown as `\xNN`. */
  readonly path: string;
  /** The true bytes, only where `path` cannot stand for them. */
  readonly pathBytes?: Buffer;
}

/** Reads a path from git's output. */
export function toGitPath(bytes: Buffer): GitPath {
  const text = bytes.toString("utf8");
  if (!text.includes("\uFFFD") || Buffer.from(text).equals(bytes)) return { path: text };
  return { path: escaped(bytes), pathBytes: Buffer.from(bytes) };
}

/** Whole UTF-8 sequences stay as they are; only the bytes between them are escaped. */
function escaped(bytes: Buffer): string {
  let out = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) out += bytes.toString("utf8", at, at + length);
    else out += `\\x${bytes.toString("hex", at, at + 1).toUpperCase()}`;
    at += Math.max(length, 1);
  }
  return out;
}

function sequenceLength(bytes: Buffer, at: number): number {
  for (const length of [1, 2, 3, 4]) {
    const part = bytes.subarray(at, at + length);
    if (part.length === length && Buffer.from(part.toString("utf8")).equals(part)) return length;
  }
  return 0;
}

/** What lies at a path, told from git's mode. Links are never followed: a link's content is its target. */
export type EntryKind = "file" | "link" | "submodule";

export function kindOfMode(mode: string): EntryKind {
  if (mode === "120000") return "link";
  return mode === "160000" ? "submodule" : "file";
}

/** Cuts a stream into the records that NUL bytes end. */
export async function* nulRecords(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    // Beyond this, git is not speaking the format that was asked for.
    if (rest.length > bytesMax) throw unreadable(`a record is longer than ${bytesMax} bytes`);
  }
  if (rest.length > 0) throw unreadable("the last record has no end");
}

function unreadable(why: string): SwornError {
  return new SwornError("STORE_UNREADABLE", `git's answer cannot be read: ${why}`);
}
