import { SwornError } from "../base/index.ts";
import { type AddedLines, addedLinesOf, pairKey } from "./added-lines.ts";
import { PAIRING } from "./file-pairing.ts";
import type { Git } from "./git.ts";
import { type EntryKind, type GitPath, kindOfMode, nulRecords, toGitPath } from "./git-path.ts";
import { assertId } from "./tree-listing.ts";

const CHANGES_MAX = 1_000_000;
const RECORD_BYTES_MAX = 1 << 20;

const STATUSES = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "typechange",
} as const;

/** One file that a change touches. */
export interface ChangedFile extends GitPath {
  /** For renamed and copied ones: where it comes from. */
  readonly oldPath?: string;
  readonly status: (typeof STATUSES)[keyof typeof STATUSES];
  /** What it is now; for a deleted one, what it was. */
  readonly kind: EntryKind;
  readonly mode: string;
  /** Null where there is none: before an addition, after a deletion. */
  readonly oldBlob: string | null;
  readonly blob: string | null;
  /** As git sees it from the content alone: attributes of the repository are not asked. */
  readonly isBinary: boolean;
  readonly added: number;
  readonly deleted: number;
  /** The added lines in the new file, in order. */
  readonly ranges: readonly AddedLines[];
}

/**
 * What differs between two trees. Against a merge, that is everything its other side brought along
 * as well; choose the base accordingly.
 */
export async function* changedFiles(
  git: Git,
  base: string,
  head: string,
): AsyncGenerator<ChangedFile> {
  assertId(base);
  assertId(head);
  const { changes, counts } = await readChanges(git, base, head);
  const isEdited = ({ status }: Change) => status !== "added" && status !== "deleted";
  const ranges = changes.some(isEdited) ? await addedLinesOf(git, base, head) : new Map();
  for (const { key, ...change } of changes) {
    const counted = counts.get(key) ?? { added: 0, deleted: 0 };
    const edited = ranges.get(pairKey(change.status, change.oldBlob, change.blob));
    yield { ...change, ...linesOf(change, counted, edited ?? []) };
  }
}

function linesOf(change: Omit<Change, "key">, counts: Counts, edited: readonly AddedLines[]) {
  // A submodule's "line" is the id of its commit, which is in no file.
  if (change.kind === "submodule") return { isBinary: false, added: 0, deleted: 0, ranges: [] };
  const isBinary = counts.added === null || counts.deleted === null;
  const { added, deleted } = { added: counts.added ?? 0, deleted: counts.deleted ?? 0 };
  const whole = added > 0 ? [{ from: 1, to: added }] : [];
  return { isBinary, added, deleted, ranges: change.status === "added" ? whole : edited };
}

type Change = Omit<ChangedFile, "isBinary" | "added" | "deleted" | "ranges"> & {
  /** The path's bytes, as text that keeps them apart. */
  readonly key: string;
};
interface Counts {
  readonly added: number | null;
  readonly deleted: number | null;
}

/** Git lists all changes first and then all counts, each record ended by NUL: no name can forge another. */
async function readChanges(git: Git, base: string, head: string) {
  const args = ["diff-tree", ...PAIRING, "-z", "--raw", "--no-abbrev", "--numstat", base, head];
  const records = nulRecords(git.stream(args), RECORD_BYTES_MAX);
  const changes: Change[] = [];
  const counts = new Map<string, Counts>();
  const next = async (): Promise<Buffer> => {
    const { value, done } = await records.next();
    if (done) throw odd("it ends within a record");
    return Buffer.from(value);
  };
  for (let item = await records.next(); !item.done; item = await records.next()) {
    const record = Buffer.from(item.value);
    if (record[0] === 0x3a) changes.push(await readChange(record, next));
    else await readCounts(record, next, counts);
    if (changes.length > CHANGES_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `more than ${CHANGES_MAX} files changed`);
    }
  }
  return { changes, counts };
}

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([AMDRCT])\d*$/;

async function readChange(record: Buffer, next: () => Promise<Buffer>): Promise<Change> {
  const match = RAW.exec(record.toString("latin1"));
  if (match === null) throw odd(JSON.stringify(record.toString("latin1").slice(0, 100)));
  const [, oldMode = "", newMode = "", oldBlob = "", newBlob = "", letter = ""] = match;
  const status = STATUSES[letter as keyof typeof STATUSES];
  const first = await next();
  const second = letter === "R" || letter === "C" ? await next() : undefined;
  const bytes = second ?? first;
  const mode = status === "deleted" ? oldMode : newMode;
  return {
    ...toGitPath(bytes),
    ...(second === undefined ? {} : { oldPath: toGitPath(first).path }),
    key: bytes.toString("latin1"),
    status,
    kind: kindOfMode(mode),
    mode,
    oldBlob: status === "added" ? null : oldBlob,
    blob: status === "deleted" ? null : newBlob,
  };
}

async function readCounts(
  record: Buffer,
  next: () => Promise<Buffer>,
  counts: Map<string, Counts>,
): Promise<void> {
  const match = /^(\d+|-)\t(\d+|-)\t/.exec(record.toString("latin1"));
  if (match === null) throw odd(JSON.stringify(record.toString("latin1").slice(0, 100)));
  const [header, added, deleted] = match;
  let path = record.subarray(header.length);
  // An empty name announces two: the old one and the new one.
  if (path.length === 0) {
    await next();
    path = await next();
  }
  const count = (text: string | undefined) => (text === "-" ? null : Number(text));
  counts.set(path.toString("latin1"), { added: count(added), deleted: count(deleted) });
}

function odd(what: string): SwornError {
  return new SwornError("STORE_UNREADABLE", `git diff-tree gave an answer we cannot read: ${what}`);
}
