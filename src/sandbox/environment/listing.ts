import { createHash, type Hash } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { canonicalize, decodeUtf8, SwornError } from "../../base/index.ts";

const FILES_MAX = 2_000_000;
const CHUNK_BYTES = 1 << 20;
/** How many files are looked at before others get a turn, a Ctrl-C for one. */
const TURN_FILES = 256;

/** What can be followed or stopped while a folder is read. */
export interface ListingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onFiles?: ((count: number) => void) | undefined;
}

/**
 * The digest of a root: the SHA-256 of a listing with one canonical line for each thing in it, in
 * the order of their paths: kind, mode, owner, and what is in it. Times do not count, so the same
 * packages give the same digest on another day.
 *
 * @throws SwornError `INPUT_INVALID` when something in it is neither folder, file nor link.
 */
export async function digestRoot(root: string, options: ListingOptions = {}): Promise<string> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  return overEntries(root, options, (entry, hash) => {
    const { path, kind, stat, target } = entry;
    const line = {
      path,
      kind,
      mode: Number(stat.mode & 0o7777n),
      uid: Number(stat.uid),
      gid: Number(stat.gid),
      ...(kind === "file" ? { sha256: hashFile(join(root, path), buffer) } : {}),
      ...(kind === "link" ? { target } : {}),
    };
    hash.update(`${canonicalize(line)}\n`);
  });
}

/**
 * A seal over the same listing that reads no file: size, times and number of each stand for its
 * content. The time of change is the kernel's and nobody sets it, so a file that was written to has
 * another seal, unless somebody with all rights on this machine also turned its clock.
 *
 * @throws SwornError `INPUT_INVALID` when something in it is neither folder, file nor link.
 */
export async function sealRoot(root: string, options: ListingOptions = {}): Promise<string> {
  return overEntries(root, options, ({ path, kind, stat, target }, hash) => {
    const { mode, uid, gid, size, mtimeNs, ctimeNs, ino } = stat;
    // A path can hold spaces and newlines; as JSON it cannot end its field.
    const fields = [kind, mode, uid, gid, size, mtimeNs, ctimeNs, ino, JSON.stringify(target)];
    hash.update(`${JSON.stringify(path)} ${fields.join(" ")}\n`);
  });
}

interface Entry {
  /** Relative to the root, without a slash at its beginning. */
  readonly path: string;
  readonly kind: "folder" | "file" | "link";
  readonly stat: ReturnType<typeof statOf>;
  /** Where a link points; empty for others. */
  readonly target: string;
}

async function overEntries(
  root: string,
  { signal, onFiles }: ListingOptions,
  add: (entry: Entry, hash: Hash) => void,
): Promise<string> {
  const hash = createHash("sha256");
  let count = 0;
  for (const entry of entriesIn(root)) {
    add(entry, hash);
    count += 1;
    if (count > FILES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `${root} has more than ${FILES_MAX} files`);
    }
    if (count % TURN_FILES !== 0) continue;
    onFiles?.(count);
    await nextTurn();
    signal?.throwIfAborted();
  }
  return `sha256:${hash.digest("hex")}`;
}

/** A root and everything in it, each folder before what is in it, names in the order of their bytes. */
export function* entriesIn(root: string, below = ""): Generator<Entry> {
  if (below === "") yield entryAt(root, ".");
  const names = readdirSync(join(root, below), { encoding: "buffer" }).sort(Buffer.compare);
  for (const bytes of names) {
    const path = below === "" ? decodeUtf8(bytes) : `${below}/${decodeUtf8(bytes)}`;
    const entry = entryAt(root, path);
    yield entry;
    if (entry.kind === "folder") yield* entriesIn(root, path);
  }
}

const statOf = (path: string) => lstatSync(path, { bigint: true });

function entryAt(root: string, path: string): Entry {
  const whole = join(root, path);
  const stat = statOf(whole);
  if (stat.isDirectory()) return { path, kind: "folder", stat, target: "" };
  if (stat.isFile()) return { path, kind: "file", stat, target: "" };
  if (stat.isSymbolicLink()) {
    const target = decodeUtf8(readlinkSync(whole, { encoding: "buffer" }));
    return { path, kind: "link", stat, target };
  }
  throw new SwornError(
    "INPUT_INVALID",
    `${whole} is neither a folder, a file nor a link; an environment holds nothing else`,
  );
}

function hashFile(path: string, buffer: Buffer): string {
  const hash = createHash("sha256");
  const fd = openSync(path, "r");
  try {
    for (;;) {
      const length = readSync(fd, buffer);
      if (length === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, length));
    }
  } finally {
    closeSync(fd);
  }
}
