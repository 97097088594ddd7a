import { assert, SwornError } from "../base/index.ts";
import type { Git } from "./git.ts";
import { type EntryKind, type GitPath, kindOfMode, nulRecords, toGitPath } from "./git-path.ts";

const RECORD_BYTES_MAX = 1 << 20;

/** One entry of a tree that is no folder. */
export interface TreeEntry extends GitPath {
  /** The object's id; for a submodule, that of a commit elsewhere. */
  readonly blob: string;
  readonly mode: string;
  /** In bytes; null for a submodule, and for an object that is missing. */
  readonly size: number | null;
  readonly kind: EntryKind;
}

export async function* listTree(
  git: Git,
  treeish: string,
  under?: string,
): AsyncGenerator<TreeEntry> {
  assertId(treeish);
  const scope = under === undefined ? [] : [scopeOf(under)];
  const args = ["ls-tree", "-r", "-z", "-l", "--full-tree", treeish, "--", ...scope];
  for await (const record of nulRecords(git.stream(args), RECORD_BYTES_MAX)) yield toEntry(record);
}

export async function entryAt(
  git: Git,
  treeish: string,
  path: string,
): Promise<TreeEntry | undefined> {
  // A path with bytes that are no text cannot be handed to git; it is found by how we write it.
  const scope = path.includes("\\x") ? undefined : path;
  let found: TreeEntry | undefined;
  for await (const entry of listTree(git, treeish, scope)) {
    if (entry.path === path) found = entry;
    // The same name can also be a folder; then its files come, under longer paths. A file's answer ends
    // here, and only one that was read to its end is remembered.
    if (scope === undefined ? found !== undefined : found === undefined) break;
  }
  return found;
}

/** Names are resolved before: what comes here is an id, so that it can be no option and no pattern. */
export function assertId(id: string): void {
  assert(isId(id), `${JSON.stringify(id)} is an object id`);
}

/** Whether a name is an object's whole id. */
export function isId(name: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name);
}

function scopeOf(under: string): string {
  const path = under.replace(/^(\.\/+)+/, "");
  if (path === "" || /^\/|\0|^\.\.?(\/|$)|\/\.\.(\/|$)/.test(path)) {
    throw new SwornError(
      "PATH_ESCAPES",
      `${JSON.stringify(under)} is not a path in the repository`,
    );
  }
  return path;
}

const HEADER = /^(\d{6}) (?:blob|commit|tree) ([0-9a-f]{40,64}) +(\d+|-|BAD)$/;

function toEntry(record: Buffer): TreeEntry {
  const tab = record.indexOf(0x09);
  const match = HEADER.exec(record.toString("latin1", 0, Math.max(tab, 0)));
  if (match === null) throw new SwornError("STORE_UNREADABLE", "git ls-tree gave an odd line");
  const [, mode = "", blob = "", size = ""] = match;
  return {
    ...toGitPath(record.subarray(tab + 1)),
    blob,
    mode,
    size: /^\d/.test(size) ? Number(size) : null,
    kind: kindOfMode(mode),
  };
}
