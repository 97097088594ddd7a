import { lstatSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As our temporary folders are called. */
const OURS = /^sworn-(?:git|read|types)-[A-Za-z0-9]{6}$/;
/** No review takes this long; a folder that is younger may be in use. */
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1_000;
const SWEPT_MAX = 1_000;

/**
 * Removes temporary folders that runs left behind which were ended by force. Only this user's own,
 * that nobody else can enter: in a shared folder anybody can use such a name. What cannot be removed
 * stays; that is no reason to end a review.
 */
export function sweepTemporary(nowMs: number, folder = tmpdir()): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    try {
      if (isLeftBehind(path, nowMs)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process may have swept it in the meantime.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => OURS.test(name))
      .slice(0, SWEPT_MAX);
  } catch {
    // Whoever needs the folder will say that it cannot be used.
    return [];
  }
}

function isLeftBehind(path: string, nowMs: number): boolean {
  const found = lstatSync(path);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  const isPrivate = process.platform === "win32" || (found.mode & 0o077) === 0;
  // A link is no folder here: what it leads to is not ours to remove.
  return found.isDirectory() && isOwn && isPrivate && nowMs - found.mtimeMs > LEFT_BEHIND_MS;
}
