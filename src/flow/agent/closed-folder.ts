import { closedFolder } from "../../run/index.ts";
import { BwrapEngine } from "../../sandbox/index.ts";

/** Why a sandbox could not see a program that is there. */
export function closedWords(folders: readonly string[]): string[] {
  const { owner } = new BwrapEngine();
  const closed = folders.map((folder) => closedFolder(folder, owner)).find(Boolean);
  if (closed === undefined) return [];
  return [
    `${closed} is closed to others, and sandboxes of root are user ${owner?.uid}'s; install the agent outside of it`,
  ];
}
