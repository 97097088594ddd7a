import type { Plan } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";
import { foldedPath } from "./staging.ts";

interface Owned {
  readonly id: string;
  readonly path: string;
  readonly file: string;
}

/** No file has two owners, and no folder of one holds a file of another. */
export function checkOwners({ subtasks }: Pick<Plan, "subtasks">): Violation[] {
  const exact = new Map<string, Owned>();
  const folders = new Map<string, Owned>();
  const all: Owned[] = subtasks.flatMap(({ id, files = [] }, at) =>
    files.map((file, index) => ({ id, file, path: `subtasks[${at}].files[${index}]` })),
  );
  const violations: Violation[] = [];
  const clash = (mine: Owned, other: Owned): void => {
    const message = `${other.id} owns ${other.file} already (${other.path}): give ${mine.file} to one of them`;
    violations.push({ rule: "two-owners", path: mine.path, message });
  };
  for (const one of all) {
    const key = foldedPath(one.file);
    const same = exact.get(key) ?? folders.get(key);
    if (same !== undefined && same.id !== one.id) clash(one, same);
    else if (one.file.endsWith("/")) folders.set(key, one);
    else exact.set(key, one);
  }
  for (const one of all) {
    const above = ownersAbove(foldedPath(one.file), folders).find(({ id }) => id !== one.id);
    if (above !== undefined) clash(one, above);
  }
  return violations;
}

function ownersAbove(key: string, folders: ReadonlyMap<string, Owned>): Owned[] {
  const parts = key.split("/");
  return parts.slice(0, -1).flatMap((_, at) => folders.get(parts.slice(0, at + 1).join("/")) ?? []);
}
