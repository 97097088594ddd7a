/** What differs in one file. */
export interface ChangedPath {
  readonly path: string;
  readonly how: "added" | "modified" | "deleted";
}

/** What git answers to a question, in its parts; bytes in characters where these are asked for. */
type Listing = (args: readonly string[], encoding?: "utf8" | "latin1") => Promise<string[]>;

/** What differs in a folder from the index; repositories as bytes in characters, because they are to be found again. */
export async function changesIn(list: Listing): Promise<{
  readonly changed: readonly ChangedPath[];
  readonly ignored: readonly string[];
  readonly nested: readonly string[];
}> {
  const question = [
    ...["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored=matching"],
    ...["--no-renames", "--ignore-submodules=none"],
  ];
  const changed: ChangedPath[] = [];
  const ignored: string[] = [];
  const nested: string[] = [];
  for (const line of await list(question, "latin1")) {
    const [state, path] = [line.slice(0, 2), line.slice(3)];
    if (state === "!!") ignored.push(decoded(path));
    // Every file by itself, so a folder is one that git does not look into.
    else if (path.endsWith("/")) nested.push(path);
    else changed.push({ path: decoded(path), how: howOf(state) });
  }
  return { changed, ignored, nested };
}

export async function changedBetween(
  list: Listing,
  base: string,
  commit: string,
): Promise<ChangedPath[]> {
  const parts = await list([
    "diff-tree",
    "-r",
    "-z",
    "--name-status",
    "--no-renames",
    base,
    commit,
  ]);
  return parts.flatMap((state, at) => {
    const path = parts[at + 1];
    return at % 2 === 0 && path !== undefined ? [{ path, how: howOf(state) }] : [];
  });
}

export function decoded(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8");
}

function howOf(state: string): ChangedPath["how"] {
  if (state.includes("D")) return "deleted";
  return state.includes("?") || state.includes("A") ? "added" : "modified";
}
