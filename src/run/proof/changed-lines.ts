import type { ChangedFile, Repository } from "../../repo/index.ts";
import { readBlobs } from "./commit-file.ts";

/** Some lines that stand together, which one side of a change has and the other has not. */
export interface ChangedLines {
  readonly path: string;
  readonly from: number;
  readonly lines: readonly string[];
}

/**
 * The lines that a change adds. For those that it takes away, ask for the way back: what is then
 * added is what the change removed. Lines that both sides have are no part of it.
 *
 * @param path one file, by the name that it has on either side
 */
export async function addedBetween(
  repository: Repository,
  from: string,
  to: string,
  path?: string,
): Promise<ChangedLines[]> {
  const files: (ChangedFile & { readonly blob: string })[] = [];
  for await (const file of repository.changedFiles(from, to)) {
    const isAsked = path === undefined || file.path === path || file.oldPath === path;
    const { blob, kind, isBinary } = file;
    if (!isAsked || blob === null || kind !== "file" || isBinary) continue;
    if (file.ranges.length > 0) files.push({ ...file, blob });
  }
  const contents = await readBlobs(repository, files);
  return files.flatMap((file, at) => {
    const lines = (contents[at]?.toString("utf8") ?? "").split("\n");
    return file.ranges.map((range) => ({
      path: file.path,
      from: range.from,
      lines: lines.slice(range.from - 1, range.to),
    }));
  });
}
