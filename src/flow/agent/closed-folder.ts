import type { ProgramFound } from "../../agent/index.ts";
import { closedFolder } from "../../run/index.ts";
import { BwrapEngine } from "../../sandbox/index.ts";

/** Why a sandbox could not see a program that is there. */
export function closedWords({ path, folders }: Pick<ProgramFound, "path" | "folders">): string[] {
  const { owner } = new BwrapEngine();
  const closed = folders.map((folder) => closedFolder(folder, owner)).find(Boolean);
  if (closed === undefined) return [];
  return [
    `found ${path}, and no sandbox can see it: ${closed} is closed to others than root; put one on the PATH that lies outside of it, such as in /usr/local/bin`,
  ];
}

/** Whether the user of a sandbox can pass all folders on the way to a file, and read it. */
export function sandboxSees(path: string): boolean {
  return closedFolder(path, new BwrapEngine().owner) === undefined;
}
