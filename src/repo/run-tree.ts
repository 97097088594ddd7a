import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, type FileOwner, giveAway, SwornError } from "../base/index.ts";
import { filledLinks, removePipes, uncover } from "./defuse-tree.ts";
import { isFolderIn, makeFolderIn } from "./folder-in-tree.ts";
import { Git, gitFailed, plainWords } from "./git.ts";
import type { Environment } from "./git-environment.ts";
import { ObjectFolder, type ObjectFormat } from "./object-folder.ts";
import { ObjectMemory } from "./object-memory.ts";
import type { References } from "./references.ts";
import { type ChangedPath, changedBetween, changesIn, decoded } from "./tree-changes.ts";
import { assertId } from "./tree-listing.ts";
import { LentTree, type TreePool } from "./tree-pool.ts";
import { isDating, momentAfter } from "./untouched.ts";

/** Nothing in a commit decides how its files are written or read: bytes stay bytes. */
const PLAIN = "* -text -eol -ident -filter -working-tree-encoding -crlf\n";
const LISTING_BYTES_MAX = 64 * (1 << 20);
const NESTED_MAX = 10_000;
const NESTED_ENTRIES_MAX = 1_000_000;
/** How git's raw listings begin for a repository within a tree, of which only a name is kept. */
const BECAME_LINK = /^:\d{6} 160000 /;
/** How git lists a submodule of a commit. */
const LINK_LINE = /^160000 [^\t]*\t(.+)$/s;
/** So many files are read faster than git is started. */
const READ_AGAIN_MAX = 200;
const WHO = { NAME: "Sworn", EMAIL: "sworn@localhost" } as const;

export interface RunTreeOptions {
  /** The folder for the files: there, empty, and ours. */
  readonly folder: string;
  readonly commit: string;
  readonly env: Environment;
  /** Whose the files are to be, where they are not ours. */
  readonly owner?: FileOwner | undefined;
  /** A folder in it that is made, and saved even where the project has git ignore it. */
  readonly keeps?: string | undefined;
}

/** Where the tree comes from and goes to. */
interface Origin {
  readonly objects: string;
  readonly format: ObjectFormat;
  readonly references: References;
}

/** What a run did to its tree. */
export interface SavedTree {
  /** Holds the tree as the run left it; the commit it began with when nothing changed. */
  readonly commit: string;
  readonly changed: readonly ChangedPath[];
  /** What a `.gitignore` keeps out, folders as a whole. It is not saved. */
  readonly ignored: readonly string[];
  /** Repositories within the tree: their files are saved, and their history as files of another name. */
  readonly nested: readonly string[];
  /** Whether every file has been as it was given at all times, and not only in the end. */
  readonly isUntouched: boolean;
}

/**
 * The files of one commit in a folder of their own, for one run to work in. The folder has no `.git`
 * of the user's, and one that a run makes there is never read: no hook or setting of its making is
 * obeyed outside.
 */
export class RunTree {
  readonly folder: string;
  readonly base: string;
  readonly #origin: Origin;
  /** Keeps the index. Objects go straight into the repository. */
  readonly #own: ObjectFolder;
  readonly #files: Git;
  readonly #keeps: string | undefined;
  /** The submodules of the commit, as bytes in characters. */
  #links: readonly string[] = [];
  /** Where the files go when the run is over. */
  #lent: LentTree | undefined;
  #isIndexClean = true;
  /** Whether it was filled just now, with many files. */
  #isLarge = false;
  /** What it had may be another run's by now. */
  #isGone = false;

  private constructor(origin: Origin, own: ObjectFolder, options: RunTreeOptions) {
    this.folder = options.folder;
    this.base = options.commit;
    this.#keeps = options.keeps;
    this.#origin = origin;
    this.#own = own;
    const identity = Object.entries(WHO).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ]);
    this.#files = new Git({
      folder: options.folder,
      env: options.env,
      own: {
        ...own.environment,
        ...Object.fromEntries(identity),
        GIT_WORK_TREE: options.folder,
        GIT_OBJECT_DIRECTORY: origin.objects,
      },
      memory: ObjectMemory.of(origin.objects),
    });
  }

  /**
   * Writes the files of a commit, but for those that lie ready in a tree that nobody needs any more.
   *
   * @throws SwornError `STORE_UNREADABLE` when git cannot.
   */
  static async create(origin: Origin, options: RunTreeOptions, trees: TreePool): Promise<RunTree> {
    const { folder, commit, owner, keeps } = options;
    assert(readdirSync(folder).length === 0, "the folder of a run's tree is empty");
    const reused = trees.takeInto(folder, commit);
    return RunTree.#open(origin, options, reused?.own, async (tree) => {
      if (reused?.links !== undefined) tree.#links = reused.links;
      else await tree.#fill(["read-tree", "-u", "--reset", commit]);
      // What lay ready has that owner already, or it would not be as it was.
      const isGiven = reused?.links !== undefined && isSameOwner(reused.owner, owner);
      if (!isGiven) giveAway(folder, owner);
      if (tree.#isLarge && owner !== undefined) await tree.#refresh();
      // Before anything else is done to it.
      const since = await momentAfter(tree.#own.path);
      // Another file system has another clock.
      if (isDating(folder) && isBeside(tree.#own.path, folder))
        tree.#lent = new LentTree(trees, { since, owner });
      const made = keeps === undefined ? undefined : makeFolderIn(folder, keeps);
      if (made !== undefined) giveAway(made, owner);
    });
  }

  /** Takes a folder over that a run has left, with whatever it made of the commit's files. */
  static adopt(origin: Origin, options: RunTreeOptions): Promise<RunTree> {
    return RunTree.#open(origin, options, undefined, async (tree) => {
      await tree.#fill(["read-tree", options.commit]);
      if (options.keeps !== undefined) makeFolderIn(options.folder, options.keeps);
    });
  }

  static async #open(
    origin: Origin,
    options: RunTreeOptions,
    reused: ObjectFolder | undefined,
    prepare: (tree: RunTree) => Promise<void>,
  ): Promise<RunTree> {
    assertId(options.commit);
    const own = reused ?? new ObjectFolder(origin.objects, origin.format);
    try {
      // Of a git that was ended while it wrote.
      rmSync(join(own.path, "index.lock"), { force: true });
      writeFileSync(join(own.path, "HEAD"), `${options.commit}\n`);
      mkdirSync(join(own.path, "info"), { recursive: true });
      writeFileSync(join(own.path, "info", "attributes"), PLAIN);
      const tree = new RunTree(origin, own, options);
      await prepare(tree);
      return tree;
    } catch (error) {
      own.remove();
      throw error;
    }
  }

  async #fill(filling: readonly string[]): Promise<void> {
    const question = ["ls-tree", "-r", "-z", this.base];
    const [files] = await Promise.all([this.#listing(question, "latin1"), this.#do(filling)]);
    this.#links = files.flatMap((line) => LINK_LINE.exec(line)?.[1] ?? []);
    this.#isLarge = files.length > READ_AGAIN_MAX;
  }

  /** Files that were given away look changed to git, and it would read each of them with every look. */
  async #refresh(): Promise<void> {
    // Submodules without files need no looking after, and git says so with its exit code.
    await this.#files.ask(["update-index", "-q", "--refresh"]);
  }

  /**
   * Puts what is in the folder on a reference of the repository, so that nothing is lost when the
   * folder goes.
   *
   * @throws SwornError `STORE_UNREADABLE` when it could not be saved; the folder has to stay then.
   */
  async save(ref: string, message: string): Promise<SavedTree> {
    assert(/^refs\/sworn\/[A-Za-z0-9/_-]+$/.test(ref), "the reference is one of ours");
    // Git, which would look at every file too, has nothing to say about what nobody touched.
    if (this.#lent?.isAsGiven(this.folder, this.#own)) {
      await this.#origin.references.point(ref, this.base);
      return { commit: this.base, changed: [], ignored: [], nested: [], isUntouched: true };
    }
    await this.#defuse();
    await this.#keep();
    const { changed, ignored, nested } = await changesIn(this.#listing.bind(this));
    const isChanged = changed.length + nested.length > 0;
    if (isChanged) this.#isIndexClean = false;
    const commit = isChanged ? await this.#commit(message, nested) : this.base;
    // Git's status names a repository, and not the files in it; they are the run's like all others.
    const all =
      nested.length > 0
        ? await changedBetween(this.#listing.bind(this), this.base, commit)
        : changed;
    await this.#origin.references.point(ref, commit);
    return { commit, changed: all, ignored, nested: nested.map(decoded), isUntouched: false };
  }

  /** Removes the files, or lays those aside that nobody touched. Whoever wants to keep them saves them first. */
  remove(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const { folder, base: commit } = this;
    const index = { own: this.#own, links: this.#links, isIndexClean: this.#isIndexClean };
    if (this.#lent?.giveBack({ folder, commit, ...index })) return;
    this.#own.remove();
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // Too deep to be named, or closed: whoever made the folder around it has the means for that.
    }
  }

  /** Takes everything away that would have git wait, or ask a repository of the run's making. */
  async #defuse(): Promise<void> {
    removePipes(this.folder);
    const filled = filledLinks(this.folder, this.#links);
    if (filled.length === 0) return;
    // What is no submodule any more is a folder like others: its files are saved.
    const names = Buffer.from(filled.map((path) => `${path}\0`).join(""), "latin1");
    this.#isIndexClean = false;
    await this.#do(["update-index", "--force-remove", "-z", "--stdin"], names);
  }

  /** What is to be kept is known to git before it is asked what it ignores. */
  async #keep(): Promise<void> {
    const keeps = this.#keeps;
    // A run can have put a link in its place; what lies behind that is not its work.
    if (keeps === undefined || !isFolderIn(this.folder, keeps)) return;
    this.#uncover(`${keeps}/`);
    this.#isIndexClean = false;
    await this.#do(["add", "--force", "--all", "--", keeps]);
  }

  async #listing(args: readonly string[], encoding: "utf8" | "latin1" = "utf8"): Promise<string[]> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.#files.stream(args)) {
      size += chunk.length;
      if (size > LISTING_BYTES_MAX) {
        const what = `the run left more files than can be listed in ${LISTING_BYTES_MAX} bytes`;
        throw new SwornError("LIMIT_EXCEEDED", `${what}; they are in ${this.folder}`);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString(encoding).split("\0").slice(0, -1);
  }

  async #commit(message: string, nested: readonly string[]): Promise<string> {
    if (nested.length > NESTED_MAX) throw this.#tooMany(`${NESTED_MAX} repositories`);
    for (const folder of nested) this.#uncover(folder);
    await this.#do(["add", "--all"]);
    await this.#assertNoLinks();
    const tree = await this.#do(["write-tree"]);
    return this.#do(["commit-tree", tree, "-p", this.base, "-m", message]);
  }

  #uncover(folder: string): void {
    const top = Buffer.concat([Buffer.from(join(this.folder, "/")), Buffer.from(folder, "latin1")]);
    if (!uncover(top, NESTED_ENTRIES_MAX)) throw this.#tooMany(`${NESTED_ENTRIES_MAX} files`);
  }

  /** Of a repository that git took as one, there would be a name on the reference and no files. */
  async #assertNoLinks(): Promise<void> {
    const question = ["diff-index", "--cached", "--raw", "--no-renames", "-z", this.base];
    const listing = await this.#listing(question);
    const at = listing.findIndex((line) => BECAME_LINK.test(line));
    if (at < 0) return;
    const what = `the files of the repository ${plainWords(listing[at + 1] ?? "")} cannot be saved`;
    throw new SwornError("STORE_UNREADABLE", `${what}; they are in ${this.folder}`);
  }

  #tooMany(what: string): SwornError {
    const message = `the run left more than ${what} in repositories of its own`;
    return new SwornError("LIMIT_EXCEEDED", `${message}; they are in ${this.folder}`);
  }

  async #do(args: readonly string[], input?: Buffer): Promise<string> {
    const { code, out, complaint } = await this.#files.ask(args, input);
    if (code === 0) return out.toString("utf8").trim();
    throw gitFailed([`${args[0]} in the tree of a run`], complaint);
  }
}

function isSameOwner(one: FileOwner | undefined, other: FileOwner | undefined): boolean {
  return one?.uid === other?.uid && one?.gid === other?.gid;
}

function isBeside(folder: string, other: string): boolean {
  return lstatSync(folder).dev === lstatSync(other).dev;
}
