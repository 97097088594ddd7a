import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder } from "../../base/index.ts";
import { isOwnerGone, ownerOf } from "../run-owner.ts";

const PREFIX = "run.";

/** A private folder for the files of one run. */
export interface RunFolder {
  readonly path: string;
  /** Removes it with all that is in it. Safe to repeat. */
  readonly remove: () => void;
}

const runsFolder = (state: string): string => join(state, "docker");

/** Makes a folder that says whose it is, so that it can be tidied up after a crash. */
export function makeRunFolder(state: string): RunFolder {
  ensureFolder(runsFolder(state), 0o700);
  const path = mkdtempSync(join(runsFolder(state), `${PREFIX}${ownerOf().replaceAll("/", ".")}.`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Removes the folders of processes that are gone. */
export function clearRunFolders(state: string): void {
  ensureFolder(runsFolder(state), 0o700);
  const names = readdirSync(runsFolder(state)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const owner = name.slice(PREFIX.length).split(".").slice(0, -1).join("/");
    if (isOwnerGone(owner)) rmSync(join(runsFolder(state), name), { recursive: true, force: true });
  }
}
