import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../base/index.ts";
import { Git, type GitEnd, gitFailed, plainWords, told } from "./git.ts";
import type { Environment } from "./git-environment.ts";
import type { References } from "./references.ts";
import { indexLines, type RawChange } from "./take-changes.ts";
import { assertId } from "./tree-listing.ts";

const CONFLICTS_MAX = 1_000;
const IDENTITY = {
  GIT_AUTHOR_NAME: "Sworn",
  GIT_AUTHOR_EMAIL: "sworn@localhost",
  GIT_COMMITTER_NAME: "Sworn",
  GIT_COMMITTER_EMAIL: "sworn@localhost",
} as const;

/** Where commits are made, and whose references can point at them. */
export interface CommitMakerOptions {
  /** A bare repository of ours, whose settings count. */
  readonly folder: string;
  readonly own: Environment;
  /** The objects of the repository, where the commits go. */
  readonly objects: string;
  readonly env: Environment;
  readonly references: References;
}

/** What came of putting two commits together. */
export type Merged = { readonly commit: string } | { readonly conflicts: readonly string[] };

/**
 * Makes commits without a work tree: nothing is checked out, and neither a setting nor an attribute
 * of the repository has a say in how two sides are put together.
 */
export class CommitMaker {
  readonly #options: CommitMakerOptions;
  readonly #git: Git;

  constructor(options: CommitMakerOptions) {
    this.#options = options;
    this.#git = this.#gitWith({});
  }

  /** A commit on top of another, with these changes and no others. */
  async withChanges(base: string, changes: readonly RawChange[], message: string): Promise<string> {
    assertId(base);
    const aside = mkdtempSync(join(this.#options.folder, "index-"));
    try {
      const git = this.#gitWith({ GIT_INDEX_FILE: join(aside, "index") });
      await told(git, ["read-tree", base]);
      await told(git, ["update-index", "-z", "--index-info"], indexLines(changes));
      const tree = await told(git, ["write-tree"]);
      return await told(git, ["commit-tree", tree, "-p", base, "-m", message]);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }

  /**
   * A commit on top of another, with what a patch does. Nothing is checked out, and a patch that does
   * not fit exactly is refused whole.
   *
   * @throws SwornError `INPUT_INVALID`.
   */
  async withPatch(base: string, patch: Buffer, message: string): Promise<string> {
    assertId(base);
    const aside = mkdtempSync(join(this.#options.folder, "index-"));
    try {
      const git = this.#gitWith({ GIT_INDEX_FILE: join(aside, "index") });
      await told(git, ["read-tree", base]);
      const args = ["apply", "--cached", "--allow-empty", "--whitespace=nowarn", "-"];
      const { code, complaint } = await git.ask(args, patch);
      if (code !== 0) {
        const why = `the change does not fit on ${base}: ${plainWords(complaint)}`;
        throw new SwornError("INPUT_INVALID", why);
      }
      const tree = await told(git, ["write-tree"]);
      return await told(git, ["commit-tree", tree, "-p", base, "-m", message]);
    } finally {
      rmSync(aside, { recursive: true, force: true });
    }
  }

  /** Both sides in one commit, or the files in which they contradict each other. */
  async merge(ours: string, theirs: string, message: string): Promise<Merged> {
    for (const id of [ours, theirs]) assertId(id);
    const question = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
    const args = [...question, ours, theirs];
    const answer = await this.#git.ask(args);
    const [tree = "", ...names] = answer.out.toString("utf8").split("\0").slice(0, -1);
    if (answer.code === 1) return { conflicts: [...new Set(names)].slice(0, CONFLICTS_MAX) };
    if (answer.code !== 0) throw cannotMerge(answer);
    assertId(tree);
    const parents = ["-p", ours, "-p", theirs];
    return { commit: await told(this.#git, ["commit-tree", tree, ...parents, "-m", message]) };
  }

  /** Stores a file's content. */
  async blob(content: Buffer): Promise<string> {
    return told(this.#git, ["hash-object", "-w", "--stdin"], content);
  }

  /** A commit without files and without history, for whoever is to see nothing of the project. */
  async empty(message: string): Promise<string> {
    const tree = await told(this.#git, ["mktree"]);
    return told(this.#git, ["commit-tree", tree, "-m", message]);
  }

  /** Puts a commit on a reference or branch of ours. @throws SwornError `STORE_UNREADABLE`. */
  point(ref: string, commit: string): Promise<void> {
    return this.#options.references.point(ref, commit);
  }

  #gitWith(more: Environment): Git {
    const { folder, env, own, objects } = this.#options;
    return new Git({
      folder,
      env,
      own: { ...own, ...IDENTITY, GIT_OBJECT_DIRECTORY: objects, ...more },
    });
  }
}

/** Git before 2.38 cannot put two commits together without a work tree. */
function cannotMerge({ complaint }: GitEnd): SwornError {
  const isOld = /usage:|unknown (?:option|switch)|not a git command/i.test(complaint);
  const next = isOld ? "; git 2.38 or newer is needed for this" : "";
  return gitFailed(["merge-tree"], `${complaint.trimEnd()}${next}`);
}
