import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownGroupFolders } from "./cgroup-parents.ts";

/** The list of a group that we are in; null where there is none. */
let ownList: string | null | undefined;
let isWaiting = false;

/**
 * Says that a process is soon to be moved into another control group. Whoever moves one waits until
 * every processor has come by once, often ten milliseconds, and nobody does who comes right after that.
 * So we move ourselves to where we are, while the sandbox is still being built; it changes nothing.
 */
export function expectMove(): void {
  if (ownList === undefined) ownList = findOwnList() ?? null;
  if (ownList === null || isWaiting) return;
  isWaiting = true;
  void writeFile(ownList, String(process.pid))
    // Not everybody may: then the move itself waits.
    .catch(() => {})
    .finally(() => {
      isWaiting = false;
    });
}

/** Only a list that has us in it: any other one would be a move. */
function findOwnList(): string | undefined {
  return ownGroupFolders()
    .map((folder) => join(folder, "cgroup.procs"))
    .find(hasUs);
}

function hasUs(list: string): boolean {
  try {
    return readFileSync(list, "utf8").split("\n").includes(String(process.pid));
  } catch {
    return false;
  }
}
