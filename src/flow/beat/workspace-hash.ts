import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../base/index.ts";

const ENTRIES_MAX = 100_000;
const DEPTH_MAX = 128;
/** Said in place of a hash of more than can be listed. */
const TOO_MANY = "too-many-files";

/**
 * What a workspace looks like while somebody works in it: the hash of every name with its kind, size
 * and last change. Nothing is opened, because whoever works there can put anything in a file's
 * place at any moment; what the files hold is hashed when the work is over.
 */
export function workspaceHash(folder: string): string {
  const lines: string[] = [];
  const isListed = list(folder, "", 0, lines);
  return isListed ? sha256Hex(lines.toSorted().join("\n")) : TOO_MANY;
}

function list(top: string, under: string, depth: number, lines: string[]): boolean {
  return namesIn(join(top, under)).every((name) => {
    if (lines.length >= ENTRIES_MAX) return false;
    const path = under === "" ? name : `${under}/${name}`;
    const stat = lstatSync(join(top, path), { bigint: true, throwIfNoEntry: false });
    // It went away between the two looks.
    if (stat === undefined) return true;
    lines.push(lineOf(path, stat));
    if (!stat.isDirectory()) return true;
    return depth < DEPTH_MAX && list(top, path, depth + 1, lines);
  });
}

function lineOf(path: string, stat: BigIntStats): string {
  const details = stat.isDirectory() ? "" : ` ${stat.size} ${stat.mtimeNs}`;
  return `${stat.mode.toString(8)}${details} ${JSON.stringify(path)}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Closed or gone: its name and mode are in the list, and what lies in it is nobody's to see.
    return [];
  }
}
