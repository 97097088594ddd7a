import { messageOf, readPlainFile, SwornError } from "../../base/index.ts";
import { commitDeeds, type SaidWork } from "../../claim/index.ts";
import { type ChangedFile, type Environment, Repository } from "../../repo/index.ts";
import type { Observation } from "../../schema/observation.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import { reconcile } from "../../verify/observed/index.ts";
import { sourceTree } from "../change/source-tree.ts";
import { type Heard, isPlaced, judgeMessage } from "./judge-message.ts";
import { updateDeeds } from "./update-deeds.ts";

const MESSAGE_BYTES_MAX = 1 << 20;
/** Of the work itself a hook sees nothing. */
const NOTHING_SEEN = {
  ignored: [],
  processes: [],
  is_complete: false,
  gaps: ["a commit hook sees no processes"],
};
const SCISSORS = /^# -+ >8 -+$/m;

/** A commit that is about to be made. */
export interface CommitRequest {
  /** The file that git hands to its hook. */
  readonly messageFile: string;
  /** The index that is going to be committed, where git names one. */
  readonly index: string | undefined;
  readonly folder: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * Holds a commit's message against its change.
 *
 * @throws SwornError when one of them cannot be read.
 */
export async function judgeCommit(request: CommitRequest): Promise<Heard> {
  const message = readMessage(request.messageFile);
  if (message === "") return { refuted: [], unverified: [] };
  const repository = await Repository.open(request.folder, request);
  const blobs = repository.openBlobs();
  try {
    const staged = await repository.stagedTree(request.index);
    const bases = await basesOf(repository);
    const changed = await changesSince(repository, bases, staged);
    const trees: SourceTree[] = [];
    for (const tree of [staged, ...bases.slice(0, 1)]) {
      trees.push(await sourceTree(repository, blobs, tree));
    }
    const paths = new Set((await trees[0]?.paths()) ?? []);
    const seen: Observation = { ...NOTHING_SEEN, tree: staged, changed };
    const own = bases[0] === undefined ? changed : await changedFrom(repository, bases[0], staged);
    const judge = (said: SaidWork) =>
      said.kind === "check"
        ? judgedCheck(said, { ...seen, changed: own })
        : judged(said, seen, paths);
    const alsoSaid = [...commitDeeds(message), ...updateDeeds(message)];
    return await judgeMessage(message, { trees, under: "", alsoSaid, judge });
  } finally {
    await blobs.close();
    repository.close();
  }
}

/** What will be the message: without git's comments, and without the diff that git puts below it. */
function readMessage(path: string): string {
  try {
    const text = readPlainFile(path, MESSAGE_BYTES_MAX).toString("utf8");
    const [own = ""] = text.split(SCISSORS, 1);
    return own.replace(/^#.*$/gm, "").trim();
  } catch (cause) {
    const what = `the commit's message in ${path} cannot be read: ${messageOf(cause)}`;
    throw new SwornError("NOT_FOUND", what, { cause });
  }
}

/**
 * The last commit and the one before: a hook is not told whether a commit is amended, and then the
 * change is the one since the commit before. None in a repository without commits.
 */
async function basesOf(repository: Repository): Promise<string[]> {
  const found: string[] = [];
  for (const name of ["HEAD", "HEAD^"]) {
    try {
      found.push(await repository.resolveCommit(name));
    } catch (error) {
      if (!(error instanceof SwornError) || error.code !== "NOT_FOUND") throw error;
    }
  }
  return found;
}

async function changesSince(
  repository: Repository,
  bases: readonly string[],
  staged: string,
): Promise<Observation["changed"]> {
  const changed: Observation["changed"] = [];
  if (bases.length < 2) {
    // The first commit, or the first one amended: all of it is new.
    for await (const { path } of repository.listTree(staged)) changed.push({ path, how: "added" });
  }
  for (const base of bases) changed.push(...(await changedFrom(repository, base, staged)));
  return changed;
}

async function changedFrom(
  repository: Repository,
  base: string,
  staged: string,
): Promise<Observation["changed"]> {
  const changed: Observation["changed"] = [];
  for await (const file of repository.changedFiles(base, staged)) changed.push(...deedsOf(file));
  return changed;
}

function deedsOf({ path, oldPath, status }: ChangedFile): Observation["changed"] {
  if (status === "renamed" && oldPath !== undefined) {
    return [
      { path, how: "added" },
      { path: oldPath, how: "deleted" },
    ];
  }
  const isNew = status === "added" || status === "copied";
  if (isNew) return [{ path, how: "added" }];
  return [{ path, how: status === "deleted" ? "deleted" : "modified" }];
}

/** Of an amended commit this is not all: a hook is not told of that. */
function judgedCheck(
  said: Extract<SaidWork, { kind: "check" }>,
  seen: Observation,
): { isRefuted: boolean; why: string } {
  const { reason } = reconcile(said, seen);
  const isOfChange = said.check === "scope" || said.check === "dependencies";
  return { isRefuted: false, why: isOfChange ? `since the last commit, ${reason}` : reason };
}

function judged(
  said: Exclude<SaidWork, { kind: "check" }>,
  seen: Observation,
  paths: ReadonlySet<string>,
): { isRefuted: boolean; why: string } | undefined {
  if (said.kind === "tests") {
    return { isRefuted: false, why: "nothing here shows that a test was run" };
  }
  if (said.kind === "command") {
    return { isRefuted: false, why: `nothing here shows that \`${said.command}\` was run` };
  }
  const { verdict, reason } = reconcile(said, seen);
  if (verdict !== "HALLUCINATED") return undefined;
  const isKnown = isPlaced(said.path) || paths.has(said.path);
  const isTouched = seen.changed.some(({ path }) => path === said.path);
  return {
    isRefuted: isKnown,
    why: isTouched ? reason : `the change does not touch ${said.path}`,
  };
}
