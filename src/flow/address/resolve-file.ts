import { decodeUtf8, SwornError } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { sidecarPathOf } from "../../scan/classify/index.ts";
import { type Address, printAddress } from "../../schema/address.ts";
import { fileAddress } from "./entry-address.ts";

const FILE_BYTES_MAX = 1 << 20;
const LINES = /^L([1-9][0-9]{0,6})(?:-L([1-9][0-9]{0,6}))?$/;

/** A file of the project as one commit has it. */
export interface ResolvedFile {
  /** The address that names it and can never name anything else. */
  readonly address: string;
  readonly commit: string;
  readonly path: string;
  /** The whole file, or the lines that the address names. */
  readonly text: string;
  /** What stands beside the file about who may see it. */
  readonly sidecar?: Uint8Array;
}

/** Whether an address is of a file of the project, and not of something in a record. */
export function isFileAddress({ path }: Address): boolean {
  return path[0] === "file" && path.length > 1;
}

/** Whether an address is of a whole commit of the project. */
export function isCommitAddress({ path, when }: Address): boolean {
  return when.kind === "commit" && path.length === 0;
}

/**
 * Tells of the commit that an address names: its tree, its time and the first line about it.
 *
 * @throws SwornError `NOT_FOUND` when the repository has no such commit.
 */
export async function resolveCommitAddress(
  repository: Repository,
  address: Address,
): Promise<{ readonly address: string; readonly commit: string; readonly text: string }> {
  const commit = await commitOf(repository, address);
  const { tree, seconds } = await repository.commitFacts(commit);
  let subject = "";
  for await (const one of repository.commitSubjects(commit, 1)) subject = one.subject;
  const at = new Date(seconds * 1_000).toISOString();
  const lines = [`commit ${commit}`, `tree ${tree}`, `at ${at}`, "", subject];
  return { address: printAddress(address), commit, text: `${lines.join("\n")}\n` };
}

/**
 * Reads the file that an address names, from git's objects: `*^` is the current commit. A fragment
 * names lines (`L3`, `L3-L7`), or a word that stands in them.
 *
 * @throws SwornError `NOT_FOUND`, `INPUT_INVALID` for a time that commits do not have,
 * `LIMIT_EXCEEDED`.
 */
export async function resolveFile(
  repository: Repository,
  address: Address,
  project: string,
): Promise<ResolvedFile> {
  const commit = await commitOf(repository, address);
  const path = address.path.slice(1).join("/");
  const entry = await repository.blobAt(commit, path);
  if (entry?.kind !== "file") {
    throw new SwornError("NOT_FOUND", `the commit ${commit} has no file ${JSON.stringify(path)}`);
  }
  const text = decodeUtf8(await bytesOf(repository, entry.blob, path));
  const beside = await repository.blobAt(commit, sidecarPathOf(path));
  const { task, fragment } = address;
  const lines = fragment === undefined ? text : linesAt(text, fragment, path);
  const fixed = fileAddress({ project, task }, commit, path, fragment);
  const found = { address: fixed, commit, path, text: lines };
  if (beside === undefined) return found;
  return { ...found, sidecar: await bytesOf(repository, beside.blob, sidecarPathOf(path)) };
}

async function commitOf(repository: Repository, { when }: Address): Promise<string> {
  if (when.kind === "commit") return repository.resolveCommit(when.commit);
  if (when.kind === "latest") return repository.resolveCommit("HEAD");
  throw new SwornError(
    "INPUT_INVALID",
    "a file is named by its commit: expected git:<commit>, or *^ for the current one",
  );
}

async function bytesOf(repository: Repository, blob: string, path: string): Promise<Buffer> {
  const blobs = repository.openBlobs({ bytesMax: FILE_BYTES_MAX });
  try {
    const content = await blobs.read(blob);
    if (content.state === "content") return content.bytes;
    if (content.state === "too-large") {
      throw new SwornError("LIMIT_EXCEEDED", `${path} has more than ${FILE_BYTES_MAX} bytes`);
    }
    throw new SwornError("STORE_UNREADABLE", `${path}: git has its content as ${content.state}`);
  } finally {
    await blobs.close();
  }
}

function linesAt(text: string, fragment: string, path: string): string {
  const lines = text.split("\n");
  const [, from, to = from] = LINES.exec(fragment) ?? [];
  const found =
    from === undefined
      ? lines.filter((line) => line.includes(fragment))
      : lines.slice(Number(from) - 1, Number(to));
  if (found.length > 0) return found.join("\n");
  throw new SwornError("NOT_FOUND", `${path} has nothing at ${JSON.stringify(fragment)}`);
}
