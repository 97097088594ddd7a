import { randomUUID } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "./digest.ts";
import { readPlainFile } from "./file.ts";

/** So often somebody may have died over the same folder. */
const TAKINGS_MAX = 10_000;
const OWNER_BYTES_MAX = 65_536;

/**
 * Takes a folder for oneself. Each taking is a file of its own, named after whoever had the folder
 * before and is gone: of several processes that find the same one gone, exactly one can follow it.
 *
 * @param isGone whether a process, by the name that it left, is gone for certain
 * @returns the file that says so; undefined when another process has it
 */
export function takeLock(
  folder: string,
  name: string,
  self: string,
  isGone: (owner: string) => boolean,
): string | undefined {
  // Written whole before it has its name: nobody reads half of it.
  const own = join(folder, `taking-${randomUUID()}`);
  try {
    writeFileSync(own, self, { flag: "wx", mode: 0o600 });
    let lock = join(folder, name);
    for (let tries = 0; tries < TAKINGS_MAX; tries += 1) {
      if (isLinked(own, lock)) return lock;
      const owner = lockOwner(lock);
      // It was released just now.
      if (owner === undefined) continue;
      if (!isGone(owner)) return undefined;
      lock = join(folder, `${name}-${sha256Hex(owner)}`);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Who has taken it, by the file that says so; undefined where that is not there. */
export function lockOwner(path: string): string | undefined {
  try {
    return readPlainFile(path, OWNER_BYTES_MAX, "refuse").toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
