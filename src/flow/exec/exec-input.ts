import { realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import { counted, SwornError } from "../../base/index.ts";
import { Repository, type TreeEntry } from "../../repo/index.ts";
import { type LaidOut, layOutInput } from "../../run/index.ts";
import type { ExecRequest } from "./exec.ts";

const LOCKFILE = "package-lock.json";
const FILE_BYTES_MAX = 64 * (1 << 20);
const LEFT_OUT_SHOWN = 10;

/** What the task reads: the files of one commit, or none outside of a repository. */
export interface ExecInput {
  readonly root: string;
  /** Where in it the caller stands, and the command starts; empty at its root. */
  readonly folder: string;
  readonly commit: string | null;
  readonly tree: string | null;
  readonly laidOut: LaidOut;
  /** When the commit was made, in seconds; 0 without one. */
  readonly seconds: number;
  readonly lockfile: string | undefined;
  /** The files that are there. */
  readonly paths: readonly string[];
}

/**
 * Lays out the files of the commit that is checked out. What is not committed is not there: a run
 * can be repeated only from what has a name.
 */
export async function takeInput(
  { folder, start, env, isPinned, onStep, at }: ExecRequest,
  target: string,
): Promise<ExecInput> {
  const repository = await Repository.open(folder, { env }).catch((error: unknown) => {
    if (error instanceof SwornError && error.code === "NOT_FOUND") return undefined;
    throw error;
  });
  if (repository === undefined) {
    if (isPinned)
      throw new SwornError("INPUT_INVALID", `--pinned and --install: ${folder} is no repository`);
    onStep("no repository here: the input is empty");
    const nothing = await layOutInput(target, [], undefined);
    return {
      root: resolve(folder),
      folder: "",
      commit: null,
      tree: null,
      laidOut: nothing,
      seconds: 0,
      lockfile: undefined,
      paths: [],
    };
  }
  const blobs = repository.openBlobs({ bytesMax: FILE_BYTES_MAX });
  try {
    const commit = await repository.resolveCommit(at ?? "HEAD");
    const entries: TreeEntry[] = [];
    for await (const entry of repository.listTree(commit)) entries.push(entry);
    const laidOut = await layOutInput(target, entries, blobs);
    onStep(`input: ${counted(laidOut.files, "file")} of commit ${commit.slice(0, 12)}`);
    for (const { path, reason } of laidOut.leftOut.slice(0, LEFT_OUT_SHOWN)) {
      onStep(`not in the input: ${path} (${reason})`);
    }
    await tellUncommitted(repository, at, onStep);
    const missing = new Set(laidOut.leftOut.map(({ path }) => path));
    const lock = entries.find(({ path }) => path === LOCKFILE);
    const content = isPinned && lock ? await blobs.read(lock.blob, lock.size) : undefined;
    if (isPinned && content?.state !== "content") {
      throw new SwornError(
        "INPUT_INVALID",
        `--pinned and --install: the commit has no readable ${LOCKFILE}`,
      );
    }
    const paths = entries
      .filter(({ kind, path }) => kind === "file" && !missing.has(path))
      .map(({ path }) => path);
    return {
      root: repository.root,
      folder: startIn(paths, { root: repository.root, folder, start, onStep }),
      commit,
      ...(await repository.commitFacts(commit)),
      laidOut,
      paths,
      lockfile: content?.state === "content" ? content.bytes.toString("utf8") : undefined,
    };
  } finally {
    await blobs.close();
    repository.close();
  }
}

/** Where the caller stands, if the commit has that folder. */
function startIn(
  paths: readonly string[],
  {
    root,
    folder,
    start,
    onStep,
  }: Pick<ExecRequest, "folder" | "start" | "onStep"> & { readonly root: string },
): string {
  const own = start ?? relative(realpathSync(root), realpathSync(folder));
  if (own === "" || own.split("/")[0] === "..") return "";
  if (paths.some((path) => path.startsWith(`${own}/`))) return own;
  onStep(`the commit has no file in ${own}, so the command starts at the root`);
  return "";
}

/** Somebody who has just changed a file expects the change to be there. */
async function tellUncommitted(
  repository: Repository,
  at: string | undefined,
  onStep: (words: string) => void,
): Promise<void> {
  if (at !== undefined) return;
  const paths = await repository.uncommittedFiles().catch(() => []);
  if (paths.length === 0) return;
  const shown = paths.slice(0, LEFT_OUT_SHOWN).join(", ");
  const more = paths.length > LEFT_OUT_SHOWN ? ` and ${paths.length - LEFT_OUT_SHOWN} more` : "";
  onStep(`changed and not committed, so the input has the committed ones: ${shown}${more}`);
}
