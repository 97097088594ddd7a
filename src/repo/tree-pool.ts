import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileOwner, ownedBy } from "../base/index.ts";
import type { ObjectFolder } from "./object-folder.ts";
import {
  type FileMoment,
  isClockSteady,
  isUntouched,
  moveAll,
  moveUntouched,
} from "./untouched.ts";

/** As many as may well be in use at a time. */
const IDLE_MAX = 8;

/** What git knows about the files of a commit. */
interface KnownTree {
  readonly folder: string;
  readonly own: ObjectFolder;
  readonly commit: string;
  /** The submodules of the commit. */
  readonly links: readonly string[];
}

/** The files of a commit that a run is done with. */
interface UsedTree extends KnownTree {
  /** Whether the index still says what the commit says. */
  readonly isIndexClean: boolean;
}

/** How the files of a commit were given to a run. */
interface Given {
  /** Whatever is dated before this is as git wrote it. */
  readonly since: FileMoment;
  /** Whose the files are, where they are not ours. */
  readonly owner: FileOwner | undefined;
}

/** A tree that is with a run, and comes back from it. */
export class LentTree {
  readonly #pool: TreePool;
  readonly #given: Given;
  #isAsGiven = false;

  constructor(pool: TreePool, given: Given) {
    this.#pool = pool;
    this.#given = given;
  }

  /** Whether the run has left every file as it was. Only asked when nobody can touch them any more. */
  isAsGiven(folder: string, { path }: ObjectFolder): boolean {
    const { since } = this.#given;
    try {
      this.#isAsGiven = isClockSteady(since, path) && isUntouched(folder, since);
    } catch {
      // Too deep to be named, or closed: then the run has made it.
      this.#isAsGiven = false;
    }
    return this.#isAsGiven;
  }

  /** False when it has to be removed by whoever made it. */
  giveBack(used: UsedTree): boolean {
    return this.#pool.put(used, this.#given, this.#isAsGiven);
  }
}

interface IdleTree extends KnownTree, Pick<Given, "owner"> {
  /** Whether all files of the commit are there, and the index says so. */
  readonly isWhole: boolean;
}

/** What of an earlier tree can be used again, in its new place. */
export interface ReusedTree {
  readonly own: ObjectFolder;
  /** Of the commit, when all of it is there. */
  readonly links: readonly string[] | undefined;
  /** Whose the files are that are there. */
  readonly owner: FileOwner | undefined;
}

/**
 * Trees between two runs. Writing thousands of files again for every run, and removing them, takes
 * far longer than most runs; what a run has not touched needs no writing. What it has touched is
 * removed here, and never met by another.
 */
export class TreePool {
  #folder: string | undefined;
  #idle: IdleTree[] = [];
  #count = 0;
  #isClosed = false;

  /** Takes what is untouched of a tree; false when it has to be removed by whoever made it. */
  put(
    { folder, own, commit, links, isIndexClean }: UsedTree,
    { since, owner }: Given,
    isKnownUntouched: boolean,
  ): boolean {
    if (this.#isClosed || this.#idle.length >= IDLE_MAX) return false;
    // A clock that was set says nothing about what came first.
    if (!isClockSteady(since, own.path)) return false;
    try {
      this.#folder ??= mkdtempSync(join(tmpdir(), `sworn-trees-${ownedBy()}`));
      const aside = join(this.#folder, String(this.#count));
      this.#count += 1;
      mkdirSync(aside);
      const isWhole = isKnownUntouched || isUntouched(folder, since);
      if (isWhole) moveAll(folder, aside);
      else moveUntouched(folder, aside, since);
      this.#idle.push({
        ...{ folder: aside, own, commit, links, owner },
        isWhole: isWhole && isIndexClean,
      });
      return true;
    } catch {
      // Too deep to be named, closed, on another file system: nothing that could be used again.
      return false;
    }
  }

  /** Moves an idle tree into an empty folder; undefined where there is none. */
  takeInto(folder: string, commit: string): ReusedTree | undefined {
    const same = this.#idle.findLastIndex((tree) => tree.commit === commit);
    const [tree] = this.#idle.splice(same < 0 ? this.#idle.length - 1 : same, 1);
    if (tree === undefined) return undefined;
    moveAll(tree.folder, folder);
    const isReady = tree.isWhole && tree.commit === commit;
    return { own: tree.own, links: isReady ? tree.links : undefined, owner: tree.owner };
  }

  close(): void {
    this.#isClosed = true;
    for (const { own } of this.#idle) own.remove();
    this.#idle = [];
    // Nothing but files that git wrote.
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
