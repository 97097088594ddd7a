import { assert } from "../base/index.ts";
import { type Git, gitFailed } from "./git.ts";
import { LastingGit } from "./lasting-git.ts";
import { assertId } from "./tree-listing.ts";

/** What names are sent in, one a line. */
const LINE = /^[^\p{Cc}]+$/u;
const COMMIT = /^([0-9a-f]{40,64}) commit \d+$/;
const OWN_REF = /^refs\/(?:sworn|heads\/sworn)\/[A-Za-z0-9/._-]+$/;

/** The names of a repository: what they mean at this moment, and ours among them, which can be moved. */
export class References {
  /** Asks with the repository's configuration overruled. */
  readonly git: Git;
  readonly #names: LastingGit;
  readonly #updates: LastingGit;

  constructor(git: Git) {
    this.git = git;
    this.#names = new LastingGit(git, ["cat-file", "--batch-check"]);
    this.#updates = new LastingGit(git, ["update-ref", "--stdin"]);
  }

  /** The commit that a name means, or a tag's of that name; undefined when it means none. */
  async commitCalled(name: string): Promise<string | undefined> {
    assert(LINE.test(name), "a name is one line");
    const [line = ""] = await this.#names.ask(`${name}^{commit}\n`, 1);
    return COMMIT.exec(line)?.[1];
  }

  /** Puts a commit on a reference or branch of ours. @throws SwornError `STORE_UNREADABLE`. */
  async point(ref: string, commit: string): Promise<void> {
    assert(OWN_REF.test(ref), "the reference is one of ours");
    assertId(commit);
    const told = await this.#updates
      .ask(`start\nupdate ${ref} ${commit}\ncommit\n`, 2)
      .catch(() => undefined);
    if (told?.join() === "start: ok,commit: ok") return;
    // An older git takes no second change from one start, and one that says no dies: asked alone, it says why.
    const args = ["update-ref", ref, commit];
    const { code, complaint } = await this.git.ask(args);
    if (code !== 0) throw gitFailed(args, complaint);
  }

  close(): void {
    this.#names.close();
    this.#updates.close();
  }
}
