import { statSync } from "node:fs";
import { dirname } from "node:path";
import { BwrapEngine, type HostOwner } from "../../sandbox/index.ts";

const SEARCH = 0o1;
const READ = 0o4;

/** Why a sandbox could not see a program that is there. */
export function closedWords(folders: readonly string[]): string[] {
  const { owner } = new BwrapEngine();
  const closed = folders.map((folder) => closedFolder(folder, owner)).find(Boolean);
  if (closed === undefined) return [];
  return [
    `${closed} is closed to others, and sandboxes of root are user ${owner?.uid}'s; install the agent outside of it`,
  ];
}

/**
 * The first folder on the way to a program that the user of a sandbox cannot pass: root's sandboxes
 * are somebody else's, who cannot look into root's home.
 */
function closedFolder(path: string, owner: HostOwner | undefined): string | undefined {
  if (owner === undefined) return undefined;
  const above: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) above.unshift(at);
  return (
    above.find((folder) => !mayUse(folder, SEARCH, owner)) ??
    (mayUse(path, READ, owner) ? undefined : path)
  );
}

function mayUse(path: string, bit: number, owner: HostOwner): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === owner.uid) return (mode & (bit << 6)) !== 0;
  if (gid === owner.gid) return (mode & (bit << 3)) !== 0;
  return (mode & bit) !== 0;
}
