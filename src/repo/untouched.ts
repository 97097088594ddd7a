import {
  type BigIntStats,
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { within } from "./defuse-tree.ts";

/** Clocks of file systems tick every few milliseconds; some every second, and then nothing is reused. */
const TICKS_MAX = 6;
const TICK_MS = 2;
/** Two clocks that are read one after the other never differ by exactly as much as before. */
const DRIFT_NS_MAX = 20_000_000n;

/** A moment, as a file system dates changes. */
export interface FileMoment {
  readonly ns: bigint;
  /** How far the machine's clock was ahead of one that nobody can set. */
  readonly aheadNs: bigint;
}

/**
 * A moment after everything that was done in a folder so far: whatever changes from now on is dated
 * as late as this or later. A file's change time is the kernel's own, and nobody but who sets the
 * machine's clock can choose it.
 *
 * @param beside a folder of ours on the same file system
 */
export async function momentAfter(beside: string): Promise<FileMoment> {
  const before = momentNow(beside);
  let now = before;
  for (let tick = 0; tick < TICKS_MAX && now.ns <= before.ns; tick += 1) {
    await wait(TICK_MS);
    now = momentNow(beside);
  }
  return now;
}

/**
 * File systems that date a change also when it is written through memory: ext2 to ext4, XFS, Btrfs. One in
 * memory does not where the file was read that way before, and of all others nobody here knows.
 */
const DATING = new Set([0xef53, 0x58465342, 0x9123683e]);

/** Whether change times can be relied on where a folder lies. */
export function isDating(folder: string): boolean {
  return DATING.has(statfsSync(folder).type);
}

/** Whether the clock went on since a moment as all clocks do: nobody set it. */
export function isClockSteady(since: FileMoment, beside: string): boolean {
  const { aheadNs } = momentNow(beside);
  const drift = aheadNs - since.aheadNs;
  return drift < DRIFT_NS_MAX && drift > -DRIFT_NS_MAX;
}

function momentNow(beside: string): FileMoment {
  const marker = join(beside, ".sworn-now");
  writeFileSync(marker, "");
  const { ctimeNs: ns } = lstatSync(marker, { bigint: true });
  const aheadNs = ns - process.hrtime.bigint();
  rmSync(marker);
  return { ns, aheadNs };
}

/**
 * Whether nobody has touched a folder and all that is in it since a moment: not its content, not its
 * name, its rights or its attributes. A folder in which a name came or went is not untouched.
 */
export function isUntouched(top: string, since: FileMoment): boolean {
  const folders: Buffer[] = [Buffer.from(top)];
  if (!isOlder(lstatSync(top, { bigint: true }), since)) return false;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(at, { encoding: "buffer", withFileTypes: true })) {
      const path = within(at, entry.name);
      if (!isOlder(lstatSync(path, { bigint: true }), since)) return false;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return true;
}

function isOlder({ ctimeNs }: BigIntStats, since: FileMoment): boolean {
  return ctimeNs < since.ns;
}

/** Moves everything that {@link isUntouched} from one folder to another, and removes all else. */
export function moveUntouched(from: string, to: string, since: FileMoment): void {
  const keep = (path: Buffer): boolean => {
    if (isOlder(lstatSync(path, { bigint: true }), since)) return true;
    rmSync(path, { recursive: true, force: true });
    return false;
  };
  const top = Buffer.from(from);
  const names = readdirSync(top, { encoding: "buffer" }).filter((name) => keep(within(top, name)));
  const folders = names.map((name) => within(top, name));
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if (!lstatSync(at).isDirectory()) continue;
    for (const entry of readdirSync(at, { encoding: "buffer", withFileTypes: true })) {
      const path = within(at, entry.name);
      if (keep(path) && entry.isDirectory()) folders.push(path);
    }
  }
  moveAll(from, to);
}

/** Moves everything in a folder into an empty one, and removes the folder itself: its rights may be anything. */
export function moveAll(from: string, to: string): void {
  const [top, target] = [Buffer.from(from), Buffer.from(to)];
  for (const name of readdirSync(top, { encoding: "buffer" })) {
    renameSync(within(top, name), within(target, name));
  }
  rmdirSync(from);
}
