import { WORKSPACE } from "../../schema/execution.ts";

/** Where a command starts: in a copy of the input, because the input itself is read-only. */
export const TREE = `${WORKSPACE.data}/tree`;
/** What shells and we use for a command that could not be started. */
const NOT_STARTED = 125;

/**
 * A command that starts in the copy, which is made first where there is none yet. The command
 * travels as arguments, so nothing of it is read by the shell.
 */
export function inTree(argv: readonly string[], isThere = false): string[] {
  const copy = isThere
    ? ""
    : `mkdir ${TREE} && cp -R ${WORKSPACE.input}/. ${TREE} && chmod -R u+w ${TREE} && `;
  return ["sh", "-c", `${copy}cd ${TREE} || exit ${NOT_STARTED}; exec "$@"`, "sh", ...argv];
}
