import { posix } from "node:path";

/** How a process came to be; who made it becomes known at the end. */
export interface Birth {
  folder?: WorkingFolder;
}

/** Where a process is: known, or relative to where its parent was when it made this one. */
export type WorkingFolder =
  | { readonly known: string }
  | { readonly since: Birth; readonly path: string };

const GENERATIONS_MAX = 1_000;

/** As a process would get there; links on the way are not known, and not followed. */
export function goTo(from: WorkingFolder, path: string): WorkingFolder {
  if (path.startsWith("/")) return { known: posix.normalize(path) };
  if ("known" in from) return { known: posix.join(from.known, path) };
  return { since: from.since, path: posix.join(from.path, path) };
}

/** Undefined when the parent never became known. */
export function pathOf(folder: WorkingFolder): string | undefined {
  let path = ".";
  let at: WorkingFolder | undefined = folder;
  for (let count = 0; count < GENERATIONS_MAX && at !== undefined; count += 1) {
    if ("known" in at) return posix.join(at.known, path);
    path = posix.join(at.path, path);
    at = at.since.folder;
  }
  return undefined;
}
