import { statSync } from "node:fs";
import { SwornError } from "../base/index.ts";
import { BlobProcesses } from "./blob-processes.ts";
import type { BlobReader, BlobReaderOptions } from "./blob-reader.ts";
import { type ChangedFile, changedFiles } from "./changed-files.ts";
import { CommitMaker } from "./commit-maker.ts";
import { type CommitSubject, commitSubjects } from "./commit-subjects.ts";
import { type FoundRepository, findRepository } from "./find-repository.ts";
import { Git } from "./git.ts";
import type { Environment } from "./git-environment.ts";
import { findHooksFolder, type HooksFolder } from "./hooks-folder.ts";
import { ObjectFolder, type ObjectFormat } from "./object-folder.ts";
import { type CommitFacts, ObjectMemory } from "./object-memory.ts";
import { changeDiff, historyDiff, historyPaths, patchText } from "./patch-text.ts";
import { Publisher } from "./publisher.ts";
import { findPullRequest } from "./pull-request.ts";
import {
  type Base,
  branchCalled,
  findBase,
  findMainBranch,
  isContained,
  type MainBranch,
  type Range,
  resolveCommit,
  resolveRange,
} from "./range.ts";
import { References } from "./references.ts";
import { RunTree, type RunTreeOptions } from "./run-tree.ts";
import { writeStagedTree } from "./staged-tree.ts";
import { type RawChange, rawChanges, takeChanges } from "./take-changes.ts";
import { assertId, entryAt, isId, listTree, type TreeEntry } from "./tree-listing.ts";
import { TreePool } from "./tree-pool.ts";
import { uncommittedFiles } from "./uncommitted.ts";

export interface RepositoryOptions {
  /** The caller's environment: git needs the PATH, and the home folder for `safe.directory`. */
  readonly env: Environment;
  /** Ends every git process when it fires; whatever waits then throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A git repository that is read, and written only where a run's work is saved (objects, and
 * references of our own) or taken over because somebody asked for it. Its content and its configuration are hostile: nothing in it makes a
 * program run, and links in it are not followed.
 */
export class Repository {
  /** The top of the work tree; for a bare repository, its own folder. */
  readonly root: string;
  readonly isBare: boolean;
  /** Whether history is cut off somewhere, so that a common ancestor may be out of reach. */
  readonly isShallow: boolean;
  readonly format: ObjectFormat;
  /** Asks about references, with the repository's configuration overruled. */
  readonly #references: References;
  /** Reads objects, without the repository's configuration. */
  readonly #objects: Git;
  readonly #folder: ObjectFolder;
  readonly #objectsPath: string;
  readonly #env: Environment;
  readonly #signal: AbortSignal | undefined;
  readonly #memory: ObjectMemory;
  readonly #blobs: BlobProcesses;
  readonly #trees = new TreePool();

  private constructor(found: FoundRepository, { env, signal }: RepositoryOptions) {
    this.#env = env;
    this.#signal = signal;
    ({ root: this.root, isBare: this.isBare, isShallow: this.isShallow } = found);
    this.format = found.format;
    this.#objectsPath = found.objects;
    this.#references = new References(new Git({ folder: found.root, env, signal }));
    this.#folder = new ObjectFolder(found.objects, found.format);
    const own = this.#folder.environment;
    this.#memory = ObjectMemory.of(found.objects);
    this.#objects = new Git({ folder: this.#folder.path, env, own, signal, memory: this.#memory });
    this.#blobs = new BlobProcesses(this.#objects, found.format);
  }

  /**
   * Finds the repository that a folder belongs to. Close it after use.
   *
   * @throws SwornError `NOT_FOUND` when there is no such folder or no repository, `INPUT_INVALID`
   * when git or we refuse to read it.
   */
  static async open(folder: string, options: RepositoryOptions): Promise<Repository> {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new SwornError("NOT_FOUND", `${folder} is not a folder`);
    }
    const found = await findRepository(folder, new Git({ ...options, folder }));
    return new Repository(found, options);
  }

  /** Removes the temporary folder. Readers that are still open must be closed before. */
  close(): void {
    this.#blobs.close();
    this.#references.close();
    this.#trees.close();
    this.#folder.remove();
  }

  /** @throws SwornError `NOT_FOUND` when the name means no commit, also when there is none yet. */
  async resolveCommit(name: string): Promise<string> {
    // A commit's own name never means another one.
    const facts = isId(name) ? await this.#askCommit(name) : undefined;
    return facts === undefined ? resolveCommit(this.#references, name) : name;
  }

  /** The branch that a name means, such as the one that HEAD is on; undefined when it means none. */
  branchCalled = (name: string): Promise<string | undefined> =>
    branchCalled(this.#references, name);

  /** The tree of a commit, and when it was made, in seconds since 1970. */
  async commitFacts(commit: string): Promise<CommitFacts> {
    assertId(commit);
    const facts = await this.#askCommit(commit);
    if (facts !== undefined) return facts;
    throw new SwornError("STORE_UNREADABLE", `git does not say what commit ${commit} holds`);
  }

  /** Undefined where the id is not that of a commit; a tag's would lead to one. */
  async #askCommit(id: string): Promise<CommitFacts | undefined> {
    const known = this.#memory.commit(id);
    if (known !== undefined) return known;
    const found = await this.#references.findCommit(id);
    if (found?.id !== id) return undefined;
    const facts = found.facts ?? (await this.#logged(id));
    if (facts !== undefined) this.#memory.keepCommit(id, facts);
    return facts;
  }

  /** What git itself makes of a commit that is too long or too odd for us. */
  async #logged(id: string): Promise<CommitFacts | undefined> {
    const question = ["log", "-1", "--no-show-signature", "--format=%T %ct", id, "--"];
    const [tree = "", seconds = ""] = (await this.#objects.line(question))?.split(" ") ?? [];
    if (!isId(tree) || !/^\d{1,12}$/.test(seconds)) return undefined;
    return { tree, seconds: Number(seconds) };
  }

  /** The last commits up to one, newest first, with their subjects. */
  commitSubjects(head: string, countMax: number, since?: string): AsyncGenerator<CommitSubject> {
    return commitSubjects(this.#objects, head, countMax, since);
  }

  /** What a commit is compared with when nobody said, and in words why. */
  findBase(head: string): Promise<Base> {
    return findBase(this.#references, head, this);
  }

  findMainBranch(): Promise<MainBranch | undefined> {
    return findMainBranch(this.#references);
  }

  /** `A..B`, `A...B`, a single name for "up to there", or nothing for the current commit. */
  resolveRange(spec?: string): Promise<Range> {
    return resolveRange(this.#references, spec, this);
  }

  /**
   * The index as a tree that this repository's readers can read; nothing is written into the repository.
   * While git commits, the index that counts can be another file: it tells its hooks which.
   */
  stagedTree(index?: string): Promise<string> {
    return writeStagedTree(this.#references.git, this.#objects, this.#folder, index);
  }

  /** Where git looks for this repository's hooks. */
  hooksFolder(): Promise<HooksFolder> {
    return findHooksFolder(this.#references.git, this.root);
  }

  /** Files of the work tree that look changed and are in no commit; a hint, by size and time alone. */
  uncommittedFiles(): Promise<string[]> {
    return this.isBare ? Promise.resolve([]) : uncommittedFiles(this.#references, this.root);
  }

  /** The head of a pull or merge request that was fetched before. Nothing is fetched here. */
  pullRequestHead(number: number): Promise<{ commit: string; ref: string }> {
    return findPullRequest(this.#references.git, number);
  }

  /** What differs between two trees; commits stand for theirs. */
  changedFiles(base: string, head: string): AsyncGenerator<ChangedFile> {
    return changedFiles(this.#objects, base, head);
  }

  /** Every file, link and submodule of a tree, or of a folder or file in it. */
  listTree(treeish: string, under?: string): AsyncGenerator<TreeEntry> {
    return listTree(this.#objects, treeish, under);
  }

  /** The entry at exactly this path; undefined when there is none or it is a folder. */
  blobAt(treeish: string, path: string): Promise<TreeEntry | undefined> {
    return entryAt(this.#objects, treeish, path);
  }

  /** The files of a commit in a folder of their own, for a run to change. */
  openRunTree(options: RunTreeOptions): Promise<RunTree> {
    return RunTree.create(this.#origin, options, this.#trees);
  }

  /** What differs between two commits, as the index can take it. */
  rawChanges(base: string, commit: string): Promise<RawChange[]> {
    return rawChanges(this.#objects, base, commit);
  }

  /** The change between two commits as a patch; see {@link patchText}. */
  patchText(
    base: string,
    commit: string,
    bytesMax: number,
    how?: { readonly isDeletedShown: boolean },
  ): Promise<string | undefined> {
    return patchText(this.#objects, base, commit, bytesMax, how);
  }

  /** The change between two commits with all of its bytes; see {@link changeDiff}. */
  changeDiff(
    base: string,
    commit: string,
    bytesMax: number,
    how?: { readonly isDeletedShown: boolean },
  ): AsyncGenerator<Buffer> {
    return changeDiff(this.#objects, base, commit, bytesMax, how);
  }

  /** What every commit between two brings along: all of it, and the paths alone. See {@link historyDiff}. */
  history(base: string, head: string, bytesMax: number) {
    const git = this.#objects;
    return { diff: historyDiff(git, base, head, bytesMax), paths: historyPaths(git, base, head) };
  }

  /** Whether a commit is another one, or one that it was made from. */
  isContained(commit: string, within: string): Promise<boolean> {
    return isContained(this.#objects, commit, within);
  }

  /** Puts changes into the user's work tree and index; see {@link takeChanges}. */
  takeChanges(changes: readonly RawChange[]): Promise<void> {
    return takeChanges({ folder: this.root, env: this.#env }, changes);
  }

  /** Takes over the tree of a run whose runtime is gone; see {@link RunTree.adopt}. */
  adoptRunTree(options: RunTreeOptions): Promise<RunTree> {
    return RunTree.adopt(this.#origin, options);
  }

  /** Makes commits without touching the user's files. Not to be used after {@link close}. */
  commitMaker(): CommitMaker {
    const { path: folder, environment: own } = this.#folder;
    const shared = { folder, own, objects: this.#objectsPath, env: this.#env };
    return new CommitMaker({ ...shared, references: this.#references });
  }

  /** Makes branches and pushes them. Not to be used after {@link close}. */
  publisher(): Publisher {
    const { path: folder, environment: own } = this.#folder;
    const signal = this.#signal;
    return new Publisher({ references: this.#references, folder, own, env: this.#env, signal });
  }

  get #origin() {
    return {
      objects: this.#objectsPath,
      format: this.format,
      references: this.#references,
    };
  }

  /** Opens the one process that contents are read through. */
  openBlobs(options: BlobReaderOptions = {}): BlobReader {
    return this.#blobs.open(options);
  }
}
