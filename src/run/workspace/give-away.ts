import { lchownSync, readdirSync } from "node:fs";
import type { HostOwner } from "../../sandbox/index.ts";

const SLASH = Buffer.from("/");

/**
 * Makes a folder and all that is in it the task's own. Links are given away as links: what they point
 * at is not ours to give.
 */
export function giveAway(folder: string, owner: HostOwner | undefined): void {
  if (owner === undefined) return;
  lchownSync(folder, owner.uid, owner.gid);
  // Names as bytes: a repository may have some that are no text.
  const folders: Buffer[] = [Buffer.from(folder)];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { encoding: "buffer", withFileTypes: true })) {
      const path = Buffer.concat([at, SLASH, entry.name]);
      lchownSync(path, owner.uid, owner.gid);
      if (entry.isDirectory()) folders.push(path);
    }
  }
}
