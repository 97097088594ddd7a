import { foldedPath } from "./judge-path.ts";
import type { FoundFile, LineRange, RefusedPart } from "./part.ts";

/**
 * Parts files that can all be written from those that stand in each other's way: one path with two
 * contents, names that a file system without case takes for one, a file where another needs a folder.
 * None of these is taken, since which one was meant is a guess. The same file twice is one file. A
 * file that a later, refused part is about as well would have been changed by it, and is not taken.
 */
export function partClashes(
  files: readonly FoundFile[],
  refused: readonly RefusedPart[],
): {
  kept: FoundFile[];
  clashes: RefusedPart[];
} {
  const groups = new Map<string, FoundFile[]>();
  for (const file of files) {
    const key = foldedPath(file.path);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  const folders = new Set([...groups.keys()].flatMap(foldersOf));
  const later = new Map(refused.map((part) => [foldedPath(part.path ?? ""), part.lines]));
  const [kept, clashes]: [FoundFile[], RefusedPart[]] = [[], []];
  for (const [key, group] of groups) {
    const reason =
      clashIn(group) ??
      (hasFolderClash(key, groups, folders) ? FOLDER : undefined) ??
      changedLater(group, later.get(key));
    const [first] = group;
    if (reason !== undefined)
      clashes.push(...group.map(({ path, lines }) => ({ path, reason, lines })));
    else if (first !== undefined) kept.push(first);
  }
  return { kept: kept.toSorted((one, other) => one.lines[0] - other.lines[0]), clashes };
}

function changedLater(
  group: readonly FoundFile[],
  lines: LineRange | undefined,
): string | undefined {
  const last = Math.max(...group.map(({ lines: [from] }) => from));
  if (lines === undefined || lines[0] < last) return undefined;
  return `a later part of the response is about the same file and is refused (lines ${lines[0]}-${lines[1]})`;
}

const FOLDER = "one file stands where another needs a folder";

function clashIn(group: readonly FoundFile[]): string | undefined {
  const paths = [...new Set(group.map(({ path }) => path))];
  if (paths.length > 1) {
    return `some file systems take these names for one: ${paths.slice(0, 5).join(", ")}`;
  }
  const isSame = group.every(({ content }) => content === group[0]?.content);
  if (isSame) return undefined;
  const places = group.slice(0, 5).map(({ lines: [from, to] }) => `${from}-${to}`);
  return `the file is given several times with different content (lines ${places.join(", ")})`;
}

function hasFolderClash(
  key: string,
  groups: ReadonlyMap<string, unknown>,
  folders: ReadonlySet<string>,
): boolean {
  return folders.has(key) || foldersOf(key).some((folder) => groups.has(folder));
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}
