import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { basename, extname, relative, resolve, sep } from "node:path";
import { SwornError } from "../../base/index.ts";
import type {
  AddedLines,
  BlobContent,
  BlobReader,
  ChangedFile,
  Repository,
} from "../../repo/index.ts";
import { fileKind, isGenerated, isLockfile, isVendored } from "../../scan/kind/index.ts";
import type { Gap } from "../../schema/review.ts";

/** What is to be reviewed, as it was asked for. */
export type Wanted =
  | { readonly kind: "change"; readonly range?: string | undefined }
  | { readonly kind: "staged" }
  | { readonly kind: "pull-request"; readonly number: number }
  | {
      readonly kind: "tree";
      readonly at?: string | undefined;
      readonly under?: string | undefined;
    };

/** A file under review, by its content's id. */
export interface SubjectFile {
  readonly path: string;
  readonly blob: string;
  readonly size: number | null;
  /** The lines this change brought; undefined where the whole file is under review. */
  readonly added?: readonly AddedLines[];
}

/** What is reviewed, and what of it is not. */
export interface Subject {
  readonly repository: string;
  /** Null for a whole tree, and where nothing came before. */
  readonly base: string | null;
  readonly baseTree: string | null;
  readonly head: string;
  /** In words: what is compared with what, and why. */
  readonly range: string;
  readonly files: readonly SubjectFile[];
  /** All that the change touches; none for a whole tree. */
  readonly changes: readonly ChangedFile[];
  readonly deleted: readonly ChangedFile[];
  readonly renamed: ReadonlyMap<string, string>;
  readonly gaps: readonly Gap[];
  /** Source that the change brings and that is passed over for its name; its gaps are among those. */
  readonly passedByName: readonly SubjectFile[];
}

/** Finds out what a review is about. Nothing of the work tree is read. */
export async function openSubject(
  repository: Repository,
  wanted: Wanted,
  folder = repository.root,
): Promise<Subject> {
  const name = basename(repository.root);
  if (wanted.kind === "tree") {
    const under = wanted.under && pathFromRoot(repository.root, folder, wanted.under);
    return treeSubject(repository, name, { ...wanted, under: under || undefined });
  }
  const { base, head, range } = await comparedTrees(repository, wanted);
  const changes: ChangedFile[] = [];
  for await (const change of repository.changedFiles(base.tree, head)) changes.push(change);
  if (changes.length === 0) {
    throw new SwornError("INPUT_INVALID", `there is nothing to review: ${range} changes no file`);
  }
  const sorted = changes.map(toSubjectFile);
  return {
    repository: name,
    base: base.commit,
    baseTree: base.tree,
    head,
    range,
    files: sorted.flatMap((one) => ("file" in one ? [one.file] : [])),
    changes,
    deleted: changes.filter(({ status }) => status === "deleted"),
    renamed: new Map(changes.flatMap(({ oldPath, path }) => (oldPath ? [[oldPath, path]] : []))),
    gaps: sorted.flatMap((one) => ("gap" in one ? [one.gap] : [])),
    passedByName: changes.flatMap(toPassedByName),
  };
}

/** A person in a folder means what lies there; at the top something else may be called the same. */
function pathFromRoot(root: string, folder: string, path: string): string {
  const inside = relative(root, resolve(realpathSync(folder), path));
  if (inside !== ".." && !inside.startsWith(`..${sep}`)) return inside.split(sep).join("/");
  throw new SwornError("INPUT_INVALID", `${path} is not in the repository ${root}`);
}

async function comparedTrees(repository: Repository, wanted: Exclude<Wanted, { kind: "tree" }>) {
  if (wanted.kind === "staged") {
    const commit = await repository.resolveCommit("HEAD");
    const base = { commit, tree: commit };
    return { base, head: await repository.stagedTree(), range: "what is staged, against HEAD" };
  }
  if (wanted.kind === "pull-request") {
    const { commit, ref } = await repository.pullRequestHead(wanted.number);
    const base = await repository.findBase(commit);
    return { base, head: commit, range: `${ref} against ${base.how}` };
  }
  const { base, head } = await repository.resolveRange(wanted.range);
  const shown = wanted.range ?? "the current commit";
  return { base, head, range: `${shown} (${head.slice(0, 12)}) against ${base.how}` };
}

async function treeSubject(
  repository: Repository,
  name: string,
  { at, under }: Extract<Wanted, { kind: "tree" }>,
): Promise<Subject> {
  const head = await repository.resolveCommit(at ?? "HEAD");
  const files: SubjectFile[] = [];
  const gaps: Gap[] = [];
  for await (const { path, blob, size, kind } of repository.listTree(head, under)) {
    const why = kind === "file" ? skipReason(path) : notAFile(kind);
    if (why === undefined) files.push({ path, blob, size });
    else gaps.push({ what: path, why });
  }
  if (files.length === 0 && gaps.length === 0) {
    throw new SwornError("NOT_FOUND", `${under ?? "the repository"} has no files at ${head}`);
  }
  const range = `${under ?? "the whole tree"} at ${head.slice(0, 12)}`;
  return {
    repository: name,
    base: null,
    baseTree: null,
    head,
    range,
    files,
    changes: [],
    deleted: [],
    renamed: new Map(),
    gaps,
    passedByName: [],
  };
}

function toSubjectFile(change: ChangedFile): { file: SubjectFile } | { gap: Gap } | object {
  const { path, blob, kind, status, isBinary, ranges } = change;
  if (status === "deleted" || blob === null) return {};
  // A zero byte makes source no picture: whoever reads it says that it cannot.
  const isPicture = isBinary && !isSource(path);
  const why = kind === "file" ? (isPicture ? "it is binary" : skipReason(path)) : notAFile(kind);
  if (why !== undefined) return { gap: { what: path, why } };
  const added = isNewHere(change) ? {} : { added: ranges };
  return { file: { path, blob, size: null, ...added } };
}

function toPassedByName(change: ChangedFile): SubjectFile[] {
  const { path, blob, kind, status } = change;
  const isNew = status === "added" || isNewHere(change);
  if (blob === null || kind !== "file" || !isNew || !isSource(path)) return [];
  return skipReason(path) === undefined ? [] : [{ path, blob, size: null }];
}

/**
 * Whether all of a file counts as brought by the change, though git knows its lines from elsewhere:
 * a copy is a second place, and what was nobody's business under its old name was never looked at.
 */
function isNewHere({ status, path, oldPath }: ChangedFile): boolean {
  if (status === "copied") return true;
  if (status !== "renamed" || oldPath === undefined) return false;
  return extname(path) !== extname(oldPath) || skipReason(oldPath) !== undefined;
}

function skipReason(path: string): string | undefined {
  // A machine writes lockfiles too, and still they are some reviewer's business.
  return isVendored(path) ?? (isLockfile(path) ? undefined : isGenerated(path, ""));
}

/** Whether a file is source by its name, so that not reading it is no small matter. */
export function isSource(path: string): boolean {
  return fileKind(path, "").form === "code";
}

function notAFile(kind: "link" | "submodule"): string {
  return kind === "link" ? "it is a link, which is not followed" : "it is a submodule";
}

/** A content as text, or why it is none. */
export type ReadText = { readonly text: string } | { readonly why: string };

export async function readText(
  blobs: BlobReader,
  { blob, size }: Pick<SubjectFile, "blob" | "size">,
): Promise<ReadText> {
  const content: BlobContent = await blobs.read(blob, size);
  switch (content.state) {
    case "content":
      return decode(content.bytes);
    case "too-large":
      return { why: `it has ${content.size} bytes, which is too large to review` };
    case "missing":
      return { why: "its content is not in this clone" };
    case "damaged":
      return { why: "its content is damaged in this clone" };
    case "other":
      return { why: `it is a ${content.type}, not a file` };
  }
}

/** Bytes as text, where they are text: as quotes are compared, in Latin-1 where they are no UTF-8. */
export function decode(bytes: Uint8Array): ReadText {
  if (bytes.includes(0)) return { why: "it is binary" };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { text: buffer.toString(isUtf8(buffer) ? "utf8" : "latin1") };
}
