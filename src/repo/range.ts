import { SwornError } from "../base/index.ts";
import { type Git, gitFailed } from "./git.ts";
import type { ObjectFormat } from "./object-folder.ts";
import type { References } from "./references.ts";
import { assertId } from "./tree-listing.ts";

const NAME_CHARS_MAX = 1_000;
/** The tree without entries; git knows it whether or not it was ever stored. */
const EMPTY_TREE: Record<ObjectFormat, string> = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};
/** Where others' work is, best guess first. */
const DEFAULT_BRANCHES = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

/** What a change is compared with. */
export interface Base {
  /** Null where nothing came before. */
  readonly commit: string | null;
  /** The commit again, or the empty tree: what `changedFiles` takes. */
  readonly tree: string;
  /** Which one was taken, and why. */
  readonly how: string;
}

export interface Range {
  readonly base: Base;
  readonly head: string;
}

interface History {
  readonly isShallow: boolean;
  readonly format: ObjectFormat;
  resolveCommit(name: string): Promise<string>;
}

export async function resolveCommit(names: References, name: string): Promise<string> {
  // A leading dash would be an option, and no name of a commit has control characters.
  if (name === "" || name.length > NAME_CHARS_MAX || /^-|\p{Cc}/u.test(name)) {
    throw new SwornError("INPUT_INVALID", `${JSON.stringify(name)} cannot name a commit`);
  }
  const commit = await names.commitCalled(name);
  if (commit !== undefined) return commit;
  if (name === "HEAD") throw new SwornError("NOT_FOUND", "the repository has no commits yet");
  throw new SwornError("NOT_FOUND", `no commit is called ${name}; see git branch and git log`);
}

/** The branch that a name means here, `HEAD` too: `main`, or `origin/main`. Undefined for anything else. */
export async function branchCalled(names: References, name: string): Promise<string | undefined> {
  await resolveCommit(names, name);
  const full = await names.git.line(["rev-parse", "--symbolic-full-name", name]);
  return /^refs\/(?:heads|remotes)\/(.+)$/.exec(full ?? "")?.[1];
}

export async function resolveRange(
  names: References,
  spec: string | undefined,
  history: History,
): Promise<Range> {
  const split = /^(.*?)(\.{2,3})(.*)$/s.exec(spec ?? "");
  if (split === null) {
    const head = await history.resolveCommit(spec ?? "HEAD");
    return { head, base: await findBase(names, head, history) };
  }
  const [left, right] = [split[1] || "HEAD", split[3] || "HEAD"];
  const from = await history.resolveCommit(left);
  const head = await history.resolveCommit(right);
  if (split[2] === "..") return { head, base: baseAt(from, `${left}, as asked for`) };
  const shared = await mergeBase(names.git, from, head);
  if (shared === undefined) throw unrelated(left, right, history);
  return { head, base: baseAt(shared, `where ${left} and ${right} parted`) };
}

export async function findBase(names: References, head: string, history: History): Promise<Base> {
  for await (const { name, commit } of mainBranches(names)) {
    const shared = await mergeBase(names.git, commit, head);
    // The whole of it is in the default branch already: what it added is all that is left to look at.
    if (shared === head) return beforeHead(names, head, history, `${name} already contains it`);
    if (shared !== undefined) return baseAt(shared, `where it parted from ${name}`);
  }
  return beforeHead(names, head, history, "there is no main branch to compare with");
}

/** A branch that others' work goes into. */
export interface MainBranch {
  readonly name: string;
  readonly commit: string;
}

/** The best guess of where work goes into; undefined where no branch has one of the usual names. */
export async function findMainBranch(names: References): Promise<MainBranch | undefined> {
  for await (const branch of mainBranches(names)) return branch;
  return undefined;
}

async function* mainBranches(names: References): AsyncGenerator<MainBranch> {
  for (const branch of DEFAULT_BRANCHES) {
    const commit = await names.commitCalled(branch);
    if (commit !== undefined)
      yield { name: branch.replace(/^refs\/(heads|remotes)\//, ""), commit };
  }
}

async function beforeHead(
  names: References,
  head: string,
  history: History,
  why: string,
): Promise<Base> {
  const parent = await names.commitCalled(`${head}^1`);
  if (parent !== undefined) return baseAt(parent, `the commit before it, because ${why}`);
  const cut = history.isShallow
    ? "nothing, because the clone is shallow and ends here; git fetch --unshallow brings the rest"
    : "nothing, because it is the first commit";
  return { commit: null, tree: EMPTY_TREE[history.format], how: cut };
}

function baseAt(commit: string, how: string): Base {
  return { commit, tree: commit, how };
}

async function mergeBase(git: Git, left: string, right: string): Promise<string | undefined> {
  const args = ["merge-base", left, right];
  const { code, out, complaint } = await git.ask(args);
  // One means that they share nothing; everything else is a failure.
  if (code !== 0 && code !== 1) throw gitFailed(args, complaint);
  return code === 0 ? out.toString("utf8").trim() : undefined;
}

/** Whether a commit is in the history of another, or is that one. */
export async function isContained(git: Git, commit: string, within: string): Promise<boolean> {
  for (const id of [commit, within]) assertId(id);
  const args = ["merge-base", "--is-ancestor", commit, within];
  const { code, complaint } = await git.ask(args);
  if (code !== 0 && code !== 1) throw gitFailed(args, complaint);
  return code === 0;
}

function unrelated(left: string, right: string, { isShallow }: History): SwornError {
  const next = isShallow ? "; the clone is shallow, git fetch --unshallow brings the rest" : "";
  const what = `${left} and ${right} have no common commit${next}`;
  return new SwornError("NOT_FOUND", what);
}
