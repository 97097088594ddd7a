import { copyFileSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { SwornError } from "../base/index.ts";
import { type Git, gitFailed } from "./git.ts";
import type { ObjectFolder } from "./object-folder.ts";

const INDEX_BYTES_MAX = 1 << 30;
/** Indexes that share a part, as `git update-index --split-index` leaves them. */
const SHARED_INDEXES_MAX = 100;

/**
 * Writes the index as a tree into our own folder. The index is copied first, because git renews it
 * while it reads; the user's stays as it was, byte for byte.
 */
export async function writeStagedTree(
  references: Git,
  objects: Git,
  folder: ObjectFolder,
  given?: string,
): Promise<string> {
  copyIndex(given ?? (await ownIndex(references)), folder.path);
  const { code, out, complaint } = await objects.ask(["write-tree"]);
  if (code === 0) return out.toString("utf8").trim();
  if (!/unmerged/.test(complaint)) throw gitFailed(["write-tree"], complaint);
  const what = "the index has unmerged files; finish the merge first, then git add them";
  throw new SwornError("INPUT_INVALID", what);
}

async function ownIndex(references: Git): Promise<string> {
  const where = ["rev-parse", "--path-format=absolute", "--git-path", "index"];
  const index = await references.line(where);
  if (index === undefined) throw gitFailed(where, "");
  return index;
}

function copyIndex(index: string, to: string): void {
  if (lstatSync(index, { throwIfNoEntry: false }) === undefined) {
    throw new SwornError("NOT_FOUND", "nothing is staged: the repository has no index yet");
  }
  copyPlainFile(index, join(to, "index"));
  const shared = readdirSync(dirname(index)).filter((name) => name.startsWith("sharedindex."));
  for (const name of shared.slice(0, SHARED_INDEXES_MAX)) {
    copyPlainFile(join(dirname(index), name), join(to, name));
  }
}

/** A link or a device in place of the index would have us read something else, perhaps without end. */
function copyPlainFile(from: string, to: string): void {
  const stat = lstatSync(from);
  if (!stat.isFile() || stat.size > INDEX_BYTES_MAX) {
    throw new SwornError("INPUT_INVALID", `${from} is not a plain file of reasonable size`);
  }
  copyFileSync(from, to);
}
