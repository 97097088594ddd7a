import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonicalize, messageOf, SwornError, sha256Hex } from "../../base/index.ts";
import type { BlobReader, TreeEntry } from "../../repo/index.ts";

/** Contents that are read before the one that is written is done with. */
const AHEAD = 8;

/** What was laid out, and what could not be. */
export interface LaidOut {
  /** Over paths, modes and object ids of everything that is there. */
  readonly sha256: string;
  readonly files: number;
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

interface Placed {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
}

/**
 * Writes a commit's files into an empty folder of ours, as git has them: neither the work tree nor
 * any filter of its has a say. Links are made as links, and last: a tree that was made by hand can
 * have a link and a folder of one name, and files would be written through the link.
 *
 * @throws SwornError `PATH_ESCAPES` for a name that would leave the folder.
 */
export async function layOutInput(
  folder: string,
  entries: readonly TreeEntry[],
  /** Not needed where there is nothing to lay out. */
  blobs: BlobReader | undefined,
): Promise<LaidOut> {
  for (const { path } of entries) within(folder, path);
  const ordered = [...entries.filter(isNoLink), ...entries.filter((one) => !isNoLink(one))];
  const placed: Placed[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const reading: Promise<string | undefined>[] = [];
  for (const [at, entry] of ordered.entries()) {
    for (
      let next = at + reading.length;
      reading.length < AHEAD && next < ordered.length;
      next += 1
    ) {
      const ahead = ordered[next];
      if (ahead && blobs) reading.push(layOut(folder, ahead, blobs));
    }
    const reason = await reading.shift();
    if (reason === undefined) placed.push({ path: entry.path, mode: entry.mode, blob: entry.blob });
    else leftOut.push({ path: entry.path, reason });
  }
  return { sha256: sha256Hex(canonicalize(placed)), files: placed.length, leftOut };
}

const isNoLink = ({ kind }: TreeEntry): boolean => kind !== "link";

/** Undefined when it is there now; otherwise why it is not. */
async function layOut(
  folder: string,
  { path, pathBytes, kind, mode, blob, size }: TreeEntry,
  blobs: BlobReader,
): Promise<string | undefined> {
  if (pathBytes !== undefined) return "its name is not text";
  if (kind === "submodule") return "it is a submodule, whose content is elsewhere";
  const content = await blobs.read(blob, size);
  if (content.state !== "content") return `its content is ${content.state}`;
  const target = within(folder, path);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    if (kind === "link") symlinkSync(content.bytes.toString("utf8"), target);
    else writeFileSync(target, content.bytes, { flag: "wx", mode: modeOf(mode) });
  } catch (error) {
    return `it could not be written: ${messageOf(error)}`;
  }
  return undefined;
}

function modeOf(mode: string): number {
  return mode.endsWith("755") ? 0o555 : 0o444;
}

function within(folder: string, path: string): string {
  const isSafe = path
    .split("/")
    .every((name) => name !== "" && name !== "." && name !== ".." && !name.includes("\0"));
  if (!isSafe) {
    const what = JSON.stringify(path.slice(0, 200));
    throw new SwornError(
      "PATH_ESCAPES",
      `the commit has a file ${what}, which leads out of its folder`,
    );
  }
  return join(folder, path);
}
