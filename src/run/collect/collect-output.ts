import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwornError } from "../../base/index.ts";
import type { Limits } from "../../schema/execution.ts";
import { assertProc, close, type Folder, openTop, systemCode } from "./beneath.ts";
import { type CopiedFile, copyFile } from "./copy-file.ts";
import { type RefusedEntry, refuse, type SeenFile, type Walk, walkOutput } from "./walk-output.ts";

/** One file of a task's output. */
export interface CollectedFile {
  /** Relative to the output folder, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Only the permission bits. */
  readonly mode: number;
  readonly mtime_ms: number;
}

/** What a task left behind. */
export interface Collected {
  /** In the byte order of their paths. */
  readonly files: readonly CollectedFile[];
  readonly refused: readonly RefusedEntry[];
  /** All that were refused, also those past the end of the list. */
  readonly refusedCount: number;
  /** The limit that the output exceeds; what is listed is not all then. */
  readonly limit: "output_bytes" | "output_files" | undefined;
}

type OutputLimits = Pick<Limits, "output_bytes" | "output_files">;

/** The latest and earliest times that a date can say. */
const TIME_MS_MAX = 8.64e15;

/**
 * Takes a task's output from the host's side. No link is followed at any level, nothing but plain
 * files is opened, and what cannot be taken is named with its reason. With `into`, an empty folder
 * that only we can write, the files are copied there while they are hashed; everything after this
 * should look at the copies.
 *
 * @throws SwornError `STORE_UNREADABLE` when the folder itself cannot be read.
 */
export function collectOutput(folder: string, limits: OutputLimits, into?: string): Collected {
  assertProc();
  const top = openOutput(folder);
  try {
    const walk = walkOutput(top, limits.output_files);
    const files = inByteOrder(withoutOutsideNames(walk));
    const budget = { left: limits.output_bytes, isSpent: false };
    const taken = files.flatMap((file) => takeFile(top, file, walk, budget, into) ?? []);
    const { refused, refusedCount, isCut } = walk;
    const limit = isCut ? "output_files" : budget.isSpent ? "output_bytes" : undefined;
    return { files: taken, refused, refusedCount, limit };
  } finally {
    close(top);
  }
}

function openOutput(folder: string): Folder {
  try {
    return openTop(folder);
  } catch (cause) {
    const message = `the output folder ${folder} cannot be opened (${systemCode(cause)})`;
    throw new SwornError("STORE_UNREADABLE", message, { cause });
  }
}

function inByteOrder(files: readonly SeenFile[]): SeenFile[] {
  return files
    .map((file) => ({ file, key: Buffer.from(file.path) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ file }) => file);
}

/**
 * A file with several names is taken only when all of them are in the output, as build tools make
 * them. One more name elsewhere means that it is somebody else's file, or still in their hands.
 */
function withoutOutsideNames(walk: Walk): SeenFile[] {
  const names = new Map<number, number>();
  for (const { stat } of walk.files) names.set(stat.ino, (names.get(stat.ino) ?? 0) + 1);
  return walk.files.filter((file) => {
    const isInside = names.get(file.stat.ino) === file.stat.nlink;
    if (!isInside) refuse(walk, file.names, "it is a hard link with a name outside the output");
    return isInside;
  });
}

function takeFile(
  top: Folder,
  file: SeenFile,
  walk: Walk,
  budget: { left: number; isSpent: boolean },
  into: string | undefined,
): CollectedFile | undefined {
  // By what it says, before a byte is read: a sparse file can say eight terabytes.
  if (file.stat.size > budget.left) {
    budget.isSpent = true;
    refuse(walk, file.names, `it has ${file.stat.size} bytes, more than the output may still have`);
    return undefined;
  }
  const copied = copyInto(top, file, into);
  if (typeof copied === "string") {
    refuse(walk, file.names, copied);
    return undefined;
  }
  budget.left -= copied.bytes;
  const { mode, mtimeMs } = file.stat;
  const mtime = Math.max(-TIME_MS_MAX, Math.min(TIME_MS_MAX, Math.floor(mtimeMs)));
  return { path: file.path, ...copied, mode: mode & 0o7777, mtime_ms: mtime };
}

function copyInto(top: Folder, file: SeenFile, into: string | undefined): CopiedFile | string {
  if (into === undefined) return readable(() => copyFile(top, file));
  const target = join(into, file.path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  // A program stays one; nobody else's rights are taken over, and no set-user bit.
  const fd = openSync(target, "wx", 0o600 | (file.stat.mode & 0o100));
  let copied: CopiedFile | string = "it was not copied";
  try {
    copied = readable(() => copyFile(top, file, fd));
  } finally {
    closeSync(fd);
    if (typeof copied === "string") rmSync(target, { force: true });
  }
  return copied;
}

/** What may not be read is the task's doing and a refusal; a full disk of ours is an error. */
function readable(read: () => CopiedFile | string): CopiedFile | string {
  try {
    return read();
  } catch (error) {
    const code = systemCode(error);
    if (["EACCES", "EPERM", "ENOENT", "ELOOP", "ENXIO", "ENOTDIR", "ENODEV"].includes(code)) {
      return `it cannot be read (${code})`;
    }
    throw error;
  }
}
