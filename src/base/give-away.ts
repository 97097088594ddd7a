import { lchownSync, lstatSync, readdirSync } from "node:fs";

const SLASH = Buffer.from("/");

/** Who owns files on this machine. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Makes a folder and all that is in it somebody else's. Links are given away as links: what they
 * point at is not ours to give. What is theirs already is not touched, not even its change time.
 */
export function giveAway(folder: string, owner: FileOwner | undefined): void {
  if (owner === undefined) return;
  giveOne(Buffer.from(folder), owner);
  // Names as bytes: a repository may have some that are no text.
  const folders: Buffer[] = [Buffer.from(folder)];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { encoding: "buffer", withFileTypes: true })) {
      const path = Buffer.concat([at, SLASH, entry.name]);
      giveOne(path, owner);
      if (entry.isDirectory()) folders.push(path);
    }
  }
}

function giveOne(path: Buffer, { uid, gid }: FileOwner): void {
  const found = lstatSync(path);
  if (found.uid !== uid || found.gid !== gid) lchownSync(path, uid, gid);
}
