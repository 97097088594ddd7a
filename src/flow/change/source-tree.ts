import type { BlobContent, BlobReader, EntryKind, Repository } from "../../repo/index.ts";
import type { SourceEntry, SourceTree } from "../../verify/citation/index.ts";

interface Stored {
  readonly blob: string;
  readonly size: number | null;
  readonly kind: EntryKind;
}

/** What a change took away or renamed, so that findings about it can still be checked. */
export interface Removed {
  /** Files that are gone, by path, with the content they had. */
  readonly deleted: ReadonlyMap<string, string>;
  /** Old names of files that were renamed. */
  readonly renamed: ReadonlyMap<string, string>;
}

const NOTHING: Removed = { deleted: new Map(), renamed: new Map() };

/** The source at several commits, in their order, for as long as somebody uses it. */
export async function withSourceTrees<Value>(
  repository: Repository,
  commits: readonly string[],
  use: (trees: readonly SourceTree[]) => Promise<Value>,
): Promise<Value> {
  const blobs = repository.openBlobs();
  try {
    const trees: SourceTree[] = [];
    for (const commit of commits) trees.push(await sourceTree(repository, blobs, commit));
    return await use(trees);
  } finally {
    await blobs.close();
  }
}

/** The source at one commit, read through one git process; never the work tree, which moves. */
export async function sourceTree(
  repository: Repository,
  blobs: BlobReader,
  head: string,
  removed: Removed = NOTHING,
): Promise<SourceTree> {
  const stored = new Map<string, Stored>();
  for await (const { path, blob, size, kind } of repository.listTree(head)) {
    stored.set(path, { blob, size, kind });
  }
  const find = async (path: string): Promise<SourceEntry> => {
    const entry = stored.get(path);
    if (entry) return toEntry(entry, blobs);
    const to = removed.renamed.get(path);
    if (to !== undefined) return { kind: "moved", to };
    const blob = removed.deleted.get(path);
    return blob === undefined ? { kind: "absent" } : contentOf(await blobs.read(blob), "base");
  };
  return { find, paths: async () => [...stored.keys()] };
}

async function toEntry({ blob, size, kind }: Stored, blobs: BlobReader): Promise<SourceEntry> {
  return kind === "file" ? contentOf(await blobs.read(blob, size), "head") : { kind };
}

function contentOf(content: BlobContent, at: "head" | "base"): SourceEntry {
  switch (content.state) {
    case "content":
      return { kind: "file", bytes: content.bytes, at };
    case "too-large":
      return { kind: "too-large", size: content.size };
    case "missing":
      return { kind: "unreadable", why: "its content is not in this clone" };
    case "damaged":
      return { kind: "unreadable", why: "its content is damaged in this clone" };
    case "other":
      return { kind: "unreadable", why: `it is a ${content.type}, not a file` };
  }
}
