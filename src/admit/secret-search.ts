import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf, readPlainFile } from "../base/index.ts";
import { secretByName } from "./secret-places.ts";

/** More than any checkout has; what is larger was not looked through, and that is said. */
const ENTRIES_MAX = 500_000;
const DEPTH_MAX = 128;
const NPMRC_BYTES_MAX = 1_048_576;

/** A secret name among the steps of the path itself. */
export function secretAbove(path: string): string | undefined {
  for (let at = path; at !== "/"; at = dirname(at)) {
    const found = secretIn(dirname(at), basename(at));
    if (found !== undefined) return `it lies in ${at} (${found})`;
  }
  return undefined;
}

/**
 * A secret name anywhere inside. Links are not followed: inside the sandbox they lead where the
 * sandbox says.
 */
export function secretBelow(path: string): string | undefined {
  if (!statSync(path).isDirectory()) return undefined;
  const open = [{ folder: path, depth: 0 }];
  let entries = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { folder, depth } = next;
    const listed = list(folder);
    if (typeof listed === "string") return listed;
    entries += listed.length;
    if (entries > ENTRIES_MAX || depth > DEPTH_MAX) return TOO_MUCH;
    const found = firstSecret(folder, listed);
    if (found !== undefined) return found;
    const folders = listed.filter((entry) => entry.isDirectory());
    for (const { name } of folders) open.push({ folder: join(folder, name), depth: depth + 1 });
  }
  return undefined;
}

const TOO_MUCH = `it has more than ${ENTRIES_MAX} entries or ${DEPTH_MAX} levels and could not be searched`;

function list(folder: string): Dirent[] | string {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Fail closed: a task may be able to read what we cannot.
    return `it holds ${folder}, which could not be searched: ${messageOf(error)}`;
  }
}

function firstSecret(folder: string, listed: readonly Dirent[]): string | undefined {
  for (const { name } of listed) {
    const what = secretIn(folder, name);
    if (what !== undefined) return `it holds ${join(folder, name)} (${what})`;
  }
  return undefined;
}

function secretIn(folder: string, name: string): string | undefined {
  if (name === ".npmrc") return npmrcSecret(join(folder, name));
  const found = secretByName(basename(folder), name);
  if (found?.onlyWith === undefined) return found?.what;
  return exists(join(folder, name, found.onlyWith)) ? found.what : undefined;
}

/** Many projects have an .npmrc; only one with a token or a password is secret. */
function npmrcSecret(path: string): string | undefined {
  try {
    const text = readPlainFile(path, NPMRC_BYTES_MAX).toString("latin1");
    return /_auth|_password|:username/i.test(text) ? "a token of a package registry" : undefined;
  } catch {
    // Fail closed: whatever it is, it could not be looked at.
    return "an .npmrc that cannot be read";
  }
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Fail closed: what we may not look at may well be there.
    return true;
  }
}
