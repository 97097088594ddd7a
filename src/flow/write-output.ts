import { lstatSync } from "node:fs";
import { messageOf, SwornError, writeFileDurably } from "../base/index.ts";

/**
 * Writes a file of a run's outcome. Agents work in these folders: what stands in the way is named,
 * and what to do about it.
 *
 * @throws SwornError `ARTIFACT_WRITE_FAILED` when it cannot be written.
 */
export function writeOutput(path: string, text: string): void {
  try {
    writeFileDurably(path, text);
  } catch (cause) {
    const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const why = isFolder
      ? "a folder stands in its place; move it away and run this again"
      : messageOf(cause);
    throw new SwornError("ARTIFACT_WRITE_FAILED", `${path} cannot be written: ${why}`, { cause });
  }
}
