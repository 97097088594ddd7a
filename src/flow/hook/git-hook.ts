import { linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder, readPlainFile, SwornError, writeFileDurably } from "../../base/index.ts";
import { BEFORE, COMMIT_HOOK, ownMark } from "./hook-lines.ts";

const HOOK_BYTES_MAX = 1 << 20;

/** Whether git's hook of this folder is ours, somebody else's, or missing. */
export function commitHookIn(folder: string): "current" | "older" | "other" | "none" {
  const stat = lstatSync(join(folder, "commit-msg"), { throwIfNoEntry: false });
  if (stat === undefined) return "none";
  if (!stat.isFile() || stat.size > HOOK_BYTES_MAX) return "other";
  const text = readPlainFile(join(folder, "commit-msg"), HOOK_BYTES_MAX, "refuse").toString("utf8");
  if (text === COMMIT_HOOK) return "current";
  return text.includes(ownMark("git")) ? "older" : "other";
}

/**
 * Puts our hook in place. One that is there already gets a second name first, under which ours runs
 * it: at no moment is there none, and nothing is overwritten.
 *
 * @throws SwornError `ALREADY_EXISTS` when that second name is taken.
 */
export function addCommitHook(folder: string): "added" | "chained" | "renewed" | "there" {
  const found = commitHookIn(folder);
  if (found === "current") return "there";
  ensureFolder(folder);
  if (found === "other") keepBefore(folder);
  writeFileDurably(join(folder, "commit-msg"), COMMIT_HOOK, 0o755);
  if (found === "other") return "chained";
  return found === "older" ? "renewed" : "added";
}

function keepBefore(folder: string): void {
  try {
    // A link to a link is a link: nothing is followed.
    linkSync(join(folder, "commit-msg"), join(folder, BEFORE));
  } catch (cause) {
    const what = `${join(folder, BEFORE)} is in the way: the hook that is there cannot be kept under that name`;
    throw new SwornError("ALREADY_EXISTS", `${what}; move it first, nothing was changed`, {
      cause,
    });
  }
}

/** Takes our hook away, and puts back what was there before. Gives back whether there was one. */
export function dropCommitHook(folder: string): boolean {
  const found = commitHookIn(folder);
  if (found !== "current" && found !== "older") return false;
  const before = join(folder, BEFORE);
  if (lstatSync(before, { throwIfNoEntry: false }) === undefined) {
    rmSync(join(folder, "commit-msg"));
  } else {
    renameSync(before, join(folder, "commit-msg"));
  }
  return true;
}
