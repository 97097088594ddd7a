import type { ChangedFile, Repository } from "../../repo/index.ts";
import type { Observation } from "../../schema/observation.ts";

/** What differs between two commits, as what was done to each file: a move takes one away and adds another. */
export async function changedBetween(
  repository: Repository,
  base: string,
  head: string,
): Promise<Observation["changed"]> {
  const changed: Observation["changed"] = [];
  for await (const file of repository.changedFiles(base, head)) changed.push(...deedsOf(file));
  return changed;
}

function deedsOf({ path, oldPath, status }: ChangedFile): Observation["changed"] {
  const isNew = status === "added" || status === "copied" || status === "renamed";
  const how = isNew ? "added" : status === "deleted" ? "deleted" : "modified";
  const gone = status === "renamed" && oldPath !== undefined ? [oldPath] : [];
  return [{ path, how }, ...gone.map((one) => ({ path: one, how: "deleted" as const }))];
}
