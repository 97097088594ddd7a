import { join } from "node:path";
import { messageOf } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import type { Wanted } from "./subject.ts";

const NAMED_MAX = 3;

/** Agents often leave their work uncommitted; a clean review of something else must not pass for it. */
export async function workTreeNote(
  repository: Repository,
  wanted: Wanted,
  reports: readonly string[],
): Promise<string[]> {
  if (wanted.kind === "staged" || wanted.kind === "pull-request") return [];
  const found = await repository.uncommittedFiles().catch(messageOf);
  // The commit can be reviewed all the same; but nobody must take that for the work tree.
  if (typeof found === "string") {
    return [`whether something is not committed is not known, see "git status": ${found}`];
  }
  // A report that takes part is read, and is nothing to commit.
  const files = found.filter((path) => !reports.includes(join(repository.root, path)));
  if (files.length === 0) return [];
  const named = files.slice(0, NAMED_MAX).map((path) => path.toWellFormed());
  const more = files.length > NAMED_MAX ? " and others" : "";
  return [
    `${counted(files.length, "file")} changed or new, not committed, and not reviewed: ${named.join(", ")}${more}; commit them, or "git add" them and use --staged`,
  ];
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} is` : `${count} ${what}s are`;
}
