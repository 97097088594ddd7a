import { lstatSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseJson, readPlainFile, takeLock, writeFileWhole } from "../../base/index.ts";
import { Name, TraceId } from "../../schema/index.ts";
import { RunId } from "../../schema/run-info.ts";
import { KEPT_PREFIX, MARK, type RunFolder } from "./run-folder.ts";

const TAKEN = "taken";
const MARK_BYTES_MAX = 65_536;

const Commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);

/**
 * Whose work lies in a folder that outlives a crash. It is written where no sandbox and no repository
 * can reach: what is tidied up after a crash must not be for a stranger's file to say.
 */
const KeptRun = z.strictObject({
  store: z.string().min(1).max(4_096),
  task: Name,
  run_id: RunId,
  agent: Name,
  trace: TraceId,
  /** The commit that it began with. */
  base: Commit,
  /** The commit that the first run of its chain began with; absent for the first. */
  since: Commit.optional(),
  /** The folder of its tree that is saved even where git ignores it. */
  keeps: z.string().min(1).max(4_096).optional(),
  /** The process that it belongs to. */
  owner: z.string().min(1).max(1_000),
});
export type KeptRun = z.infer<typeof KeptRun>;

/** A folder with work in it, and whose it is. */
export interface KeptFolder {
  readonly path: string;
  readonly run: KeptRun;
}

/**
 * Says whose work a folder holds, from before there is any. Its name is not waited for: a power cut that
 * takes it back takes the work as well.
 */
export function markKept(folder: RunFolder, run: KeptRun): void {
  writeFileWhole(join(folder.path, MARK), `${JSON.stringify(KeptRun.parse(run))}\n`, 0o600);
}

/** The folders of this user that hold somebody's work. */
export function keptFolders(): KeptFolder[] {
  const uid = process.getuid?.();
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(KEPT_PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return found?.isDirectory() === true && found.uid === uid;
    })
    .flatMap((path) => {
      const run = markOf(path);
      return run === undefined ? [] : [{ path, run }];
    });
}

function markOf(folder: string): KeptRun | undefined {
  try {
    const text = readPlainFile(join(folder, MARK), MARK_BYTES_MAX, "refuse").toString("utf8");
    return KeptRun.parse(parseJson(text, MARK_BYTES_MAX));
  } catch {
    // Nothing was at risk yet when it was left, or it is not ours.
    return undefined;
  }
}

/**
 * Takes a folder for oneself; false when another process has it. It is never given back.
 *
 * @param isGone whether a process, by the name that it left, is gone for certain
 */
export function takeKept(
  { path }: KeptFolder,
  self: string,
  isGone: (owner: string) => boolean,
): boolean {
  return takeLock(path, TAKEN, self, isGone) !== undefined;
}
