import { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ensureFolder, readPlainFile, SwornError, sha256Hex } from "../../base/index.ts";
import { removeTree } from "../../run/collect/index.ts";
import { Digest } from "../../schema/index.ts";
import type { Place } from "../place.ts";

/** Longer than a weekend; nobody who waits longer is going to look. */
const HELD_DAYS = 7;
const DAY_MS = 86_400_000;

/** One file that waits, as it was when it was put there. */
export const HeldFile = z.strictObject({
  path: z.string().min(1).max(4_096),
  sha256: Digest,
  bytes: z.int().min(0),
  mode: z.int().min(0).max(0o777),
});
export type HeldFile = z.infer<typeof HeldFile>;

/** Where the output of a run waits: with the user's keys, closed to others and to every project. */
export function heldFolder({ state }: Pick<Place, "state">, trace: string): string {
  return join(state, "held", trace);
}

/** Puts the output of a run aside until a reviewer has looked, and lists it. */
export function holdOutput(place: Place, trace: string, copies: string): HeldFile[] {
  const folder = heldFolder(place, trace);
  ensureFolder(dirname(folder), 0o700);
  mkdirSync(folder, { mode: 0o700 });
  cpSync(copies, folder, { recursive: true });
  return filesIn(folder);
}

/**
 * Takes away what waits no longer: overwritten and removed.
 *
 * @throws what removing throws.
 */
export function dropHeld(place: Place, trace: string): void {
  const folder = heldFolder(place, trace);
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) removeTree(folder);
}

/**
 * Whether what waits is still what was put there; anything may have happened since.
 *
 * @throws SwornError `NOT_FOUND` when it is gone, `STORE_UNREADABLE` when it was changed.
 */
export function assertHeld(place: Place, trace: string, listed: readonly HeldFile[]): void {
  const folder = heldFolder(place, trace);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SwornError(
      "NOT_FOUND",
      `the output of ${trace} is not kept any more (it waits for ${HELD_DAYS} days); run it again`,
    );
  }
  const [found, expected] = [filesIn(folder), listed].map((files) => JSON.stringify(files));
  if (found !== expected) throw changed(trace);
}

/** Writes what waits into a new folder, each file only as it was listed. */
export function handOver(
  place: Place,
  trace: string,
  listed: readonly HeldFile[],
  out: string,
): void {
  ensureFolder(out);
  for (const { path, sha256, bytes, mode } of listed) {
    const content = readPlainFile(join(heldFolder(place, trace), path), bytes, "refuse");
    // What is written is what was compared, not what lies there a moment later.
    if (sha256Hex(content) !== sha256) throw changed(trace);
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content, { flag: "wx", mode });
  }
}

function changed(trace: string): SwornError {
  return new SwornError(
    "STORE_UNREADABLE",
    `the output of ${trace} is not the one that was put aside; run it again`,
  );
}

/** All files in the order of their paths. What is neither file nor folder was not put there by us. */
function filesIn(folder: string, below = ""): HeldFile[] {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  const files = entries.flatMap((entry): HeldFile[] => {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(folder, path);
    const { size, mode } = lstatSync(join(folder, path));
    const content = readPlainFile(join(folder, path), size, "refuse");
    return [{ path, sha256: sha256Hex(content), bytes: size, mode: mode & 0o777 }];
  });
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Removes what nobody looked at in time, whichever project it is of. */
export function reapHeld({ state, clock }: Pick<Place, "state" | "clock">): void {
  const folder = join(state, "held");
  const isThere = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  for (const name of isThere ? readdirSync(folder) : []) {
    const { mtimeMs } = lstatSync(join(folder, name));
    if (clock() - mtimeMs > HELD_DAYS * DAY_MS) removeTree(join(folder, name));
  }
}
