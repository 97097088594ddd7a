import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { HostOwner } from "../../sandbox/index.ts";

const SEARCH = 0o1;
const READ = 0o4;

/**
 * The first folder on the way to a path that the user of a sandbox cannot pass: root's sandboxes are
 * somebody else's, who cannot look into root's home. Undefined when the way is open.
 */
export function closedFolder(path: string, owner: HostOwner | undefined): string | undefined {
  if (owner === undefined) return undefined;
  return closedAbove(path, owner) ?? (mayUse(path, READ, owner) ? undefined : path);
}

/** The first folder above a path that its owner cannot pass. */
export function closedAbove(path: string, owner: HostOwner): string | undefined {
  const above: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) above.unshift(at);
  return above.find((folder) => !mayUse(folder, SEARCH, owner));
}

function mayUse(path: string, bit: number, owner: HostOwner): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === owner.uid) return (mode & (bit << 6)) !== 0;
  if (gid === owner.gid) return (mode & (bit << 3)) !== 0;
  return (mode & bit) !== 0;
}
