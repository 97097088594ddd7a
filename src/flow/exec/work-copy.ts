import { posix } from "node:path";
import { WORKSPACE } from "../../schema/execution.ts";

/** A copy of the input, because the input itself is read-only. */
const TREE = `${WORKSPACE.data}/tree`;
/** What shells and we use for a command that could not be started. */
const NOT_STARTED = 125;

/** Where a command starts: in the folder of the copy that its caller stands in. */
export function startOf(folder: string): string {
  return posix.join(TREE, folder);
}

/** The folder of the copy that a command started in. */
export function startedIn(place: string): string {
  return posix.relative(TREE, place);
}

/**
 * A command that starts in the copy, which is made first where there is none yet. Folder and command
 * travel as arguments, so nothing of them is read by the shell.
 */
export function inTree(
  argv: readonly string[],
  { folder = "", isThere = false }: { folder?: string; isThere?: boolean } = {},
): string[] {
  const copy = isThere
    ? ""
    : `mkdir ${TREE} && cp -R ${WORKSPACE.input}/. ${TREE} && chmod -R u+w ${TREE} && `;
  const script = `${copy}cd "$1" || exit ${NOT_STARTED}; shift; exec "$@"`;
  return ["sh", "-c", script, "sh", startOf(folder), ...argv];
}
