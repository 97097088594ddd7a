import { assert } from "../base/index.ts";
import { type Git, gitFailed } from "./git.ts";
import { LastingGit } from "./lasting-git.ts";
import type { CommitFacts } from "./object-memory.ts";
import { assertId } from "./tree-listing.ts";

/** What names are sent in, one a line. */
const LINE = /^[^\p{Cc}]+$/u;
const HEADER = /^([0-9a-f]{40,64}) commit (\d{1,9})$/;
const TREE = /^tree ([0-9a-f]{40,64})$/;
const COMMITTER = /^committer .*> (\d{1,12})(?: |$)/;
const OWN_REF = /^refs\/(?:sworn|heads\/sworn)\/[A-Za-z0-9/._-]+$/;

/** A commit, and what stands in it; undefined where that was not read. */
interface FoundCommit {
  readonly id: string;
  readonly facts: CommitFacts | undefined;
}

/** The names of a repository: what they mean at this moment, and ours among them, which can be moved. */
export class References {
  /** Asks with the repository's configuration overruled. */
  readonly git: Git;
  readonly #names: LastingGit;
  readonly #updates: LastingGit;

  constructor(git: Git) {
    this.git = git;
    this.#names = new LastingGit(git, ["cat-file", "--batch"]);
    this.#updates = new LastingGit(git, ["update-ref", "--stdin"]);
  }

  /** The commit that a name means, or a tag's of that name; undefined when it means none. */
  async commitCalled(name: string): Promise<string | undefined> {
    return (await this.findCommit(name))?.id;
  }

  async findCommit(name: string): Promise<FoundCommit | undefined> {
    assert(LINE.test(name), "a name is one line");
    const asked = `${name}^{commit}`;
    const lines = await this.#names.ask(`${asked}\n`, endOfCommit()).catch(() => undefined);
    // It may have died over another question, or over a commit that is damaged or far too long.
    const id =
      lines === undefined
        ? await this.git.line(["rev-parse", "--verify", "--quiet", asked])
        : HEADER.exec(lines[0] ?? "")?.[1];
    return id === undefined ? undefined : { id, facts: factsIn(lines ?? []) };
  }

  /** Puts a commit on a reference or branch of ours. @throws SwornError `STORE_UNREADABLE`. */
  async point(ref: string, commit: string): Promise<void> {
    assert(OWN_REF.test(ref), "the reference is one of ours");
    const complaint = await this.#update([ref, commit]);
    if (complaint !== undefined) throw gitFailed(["update-ref"], complaint);
  }

  /**
   * Makes a branch where there is none: git compares and writes under one lock.
   *
   * @param branch checked to be the plain name of one
   * @returns git's complaint when it could not be made; whatever is there is left as it is
   */
  create(branch: string, commit: string): Promise<string | undefined> {
    return this.#update([`refs/heads/${branch}`, commit, "0".repeat(commit.length)]);
  }

  /** A reference, its commit, and the one that it has to have until then. */
  async #update([ref = "", commit = "", ...before]: readonly string[]) {
    assertId(commit);
    const words = [ref, commit, ...before];
    const told = await this.#updates
      .ask(`start\nupdate ${words.join(" ")}\ncommit\n`, (line) => line === "commit: ok")
      .catch(() => undefined);
    if (told !== undefined) return undefined;
    // An older git takes no second change from one start, and one that says no dies: asked alone, it says why.
    const { code, complaint } = await this.git.ask(["update-ref", ...words]);
    return code === 0 ? undefined : complaint;
  }

  close(): void {
    this.#names.close();
    this.#updates.close();
  }
}

/** Git says how many bytes a commit has, and puts a line feed behind them. */
function endOfCommit(): (line: string) => boolean {
  let left: number | undefined;
  return (line) => {
    if (left === undefined) left = Number(HEADER.exec(line)?.[2] ?? -1) + 1;
    else left -= line.length + 1;
    return left <= 0;
  };
}

/** The commit's own lines end with the first empty one; whatever its message says does not count. */
function factsIn([, ...lines]: readonly string[]): CommitFacts | undefined {
  const end = lines.indexOf("");
  const head = end < 0 ? lines : lines.slice(0, end);
  const [tree, seconds] = [TREE, COMMITTER].map((field) =>
    head.map((line) => field.exec(line)?.[1]).find((found) => found !== undefined),
  );
  return tree === undefined || seconds === undefined
    ? undefined
    : { tree, seconds: Number(seconds) };
}
