import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOwnerDead, ownedBy, SwornError } from "../../base/index.ts";
import { removeTree } from "../collect/index.ts";
import { closedAbove } from "./closed-folder.ts";

const PREFIX = "sworn-run-";
/** Every kind of folder that nobody needs once the process that made it is gone. */
const REAPED = /^sworn-(?:run|git|prove|read|take|trees|try|types|version)-(.+)$/;
/** Once it is marked, the reaper leaves it alone: it may hold the only copy of somebody's work. */
export const KEPT_PREFIX = "sworn-agent-";
const KEPT = new RegExp(`^${KEPT_PREFIX}(.+)$`);
/** What says in such a folder whose work it holds. */
export const MARK = "run.json";
/** A folder that is older belongs to no run: the longest job is far shorter. */
const STALE_MS = 8 * 86_400_000;

/** Who the task is on the host. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The host's side of a workspace, gone with the run. Others can pass through its top, but see
 * nothing in it: what a task is given is its owner's alone.
 */
export class RunFolder {
  readonly path: string;
  readonly #owner: Owner | undefined;

  /**
   * One that is kept outlives a crash of ours, until somebody removes it.
   *
   * @throws SwornError `SANDBOX_REFUSED` when the task could not reach it.
   */
  constructor(owner: Owner | undefined, isKept = false) {
    assertPassable(owner);
    const prefix = isKept ? KEPT_PREFIX : PREFIX;
    this.path = mkdtempSync(join(tmpdir(), `${prefix}${ownedBy()}`));
    this.#owner = owner;
    if (owner) chmodSync(this.path, 0o711);
  }

  /** A folder that the task may see. */
  shared(name: string): string {
    const folder = join(this.path, name);
    mkdirSync(folder, { mode: 0o700 });
    if (this.#owner) chownSync(folder, this.#owner.uid, this.#owner.gid);
    return folder;
  }

  /** A folder that only we may see. */
  private(name: string): string {
    const folder = join(this.path, name);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }

  /** Overwrites and removes everything. */
  remove(): void {
    removeTree(this.path);
  }
}

/** Bubblewrap would only say that something cannot be found. */
function assertPassable(owner: Owner | undefined): void {
  const closed = owner && closedAbove(join(tmpdir(), PREFIX), owner);
  if (!closed || !owner) return;
  throw new SwornError(
    "SANDBOX_REFUSED",
    `the folder for temporary files, ${tmpdir()}: ${closed} is closed to others, and sandboxes of root are user ${owner.uid}'s; set TMPDIR to one that others can pass, such as /tmp`,
  );
}

/**
 * Removes what processes that are gone left in a folder for temporary files; says how much it was.
 * Only this user's own: where all may write, anybody can use such a name.
 */
export function reapFolders(nowMs: number, temporary = tmpdir()): number {
  const uid = process.getuid?.();
  const left = namesIn(temporary).filter((name) => {
    const kept = KEPT.exec(name)?.[1];
    const rest = REAPED.exec(name)?.[1] ?? kept;
    if (rest === undefined) return false;
    const found = lstatSync(join(temporary, name), { throwIfNoEntry: false });
    // A link is no folder here: what it leads to is not ours to remove.
    if (!found?.isDirectory() || found.uid !== uid) return false;
    if (kept !== undefined) return isOwnerDead(rest) && !isMarked(join(temporary, name));
    return isOwnerDead(rest) || nowMs - found.mtimeMs > STALE_MS;
  });
  return left.filter((name) => isRemoved(join(temporary, name))).length;
}

/** What was never marked has had no agent in it. */
function isMarked(folder: string): boolean {
  return lstatSync(join(folder, MARK), { throwIfNoEntry: false }) !== undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whoever needs the folder will say that it cannot be used.
    return [];
  }
}

/** Somebody else's folder of that name, or one that changes, must not stop a run. */
function isRemoved(folder: string): boolean {
  try {
    removeTree(folder);
    return true;
  } catch {
    return false;
  }
}
