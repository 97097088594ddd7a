import type { BlobContent, BlobReader, Repository, TreeEntry } from "../../repo/index.ts";
import { fileKind, isGenerated, isVendored } from "../../scan/kind/index.ts";
import { holdsExamples } from "../../scan/requirement/index.ts";

const FILES_MAX = 100_000;
const FILE_BYTES_MAX = 1 << 20;
/** Files that are asked for before the first of them has come. */
const AHEAD = 64;

/** A file that was not read, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly why: string;
}

/**
 * Reads the project's own texts at a commit. What is installed, built, generated or made up for a
 * test is not its own word; of the rest, whatever is not read is told.
 */
export async function readOwnTexts(
  repository: Repository,
  commit: string,
  take: (path: string, text: string) => void,
): Promise<{ readonly files: number; readonly skipped: readonly SkippedFile[] }> {
  const blobs = repository.openBlobs({ bytesMax: FILE_BYTES_MAX });
  try {
    const { wanted, skipped } = await ownFiles(repository, commit);
    for (let at = 0; at < wanted.length; at += AHEAD) {
      const some = wanted.slice(at, at + AHEAD);
      for (const { path, content } of await readAll(blobs, some)) {
        if (content.state !== "content") skipped.push({ path, why: `it is ${content.state}` });
        else takeText(path, content.bytes, take);
      }
    }
    return { files: wanted.length, skipped };
  } finally {
    await blobs.close();
  }
}

async function ownFiles(repository: Repository, commit: string) {
  const skipped: SkippedFile[] = [];
  const wanted: TreeEntry[] = [];
  for await (const entry of repository.listTree(commit)) {
    const { path, kind, size } = entry;
    if (kind !== "file" || isVendored(path) !== undefined || holdsExamples(path)) continue;
    if (wanted.length < FILES_MAX && (size ?? 0) <= FILE_BYTES_MAX) wanted.push(entry);
    else skipped.push({ path, why: "it is too large, or there are too many" });
  }
  return { wanted, skipped };
}

function readAll(
  blobs: BlobReader,
  some: readonly TreeEntry[],
): Promise<{ path: string; content: BlobContent }[]> {
  return Promise.all(
    some.map(async ({ path, blob }) => ({ path, content: await blobs.read(blob) })),
  );
}

function takeText(path: string, bytes: Buffer, take: (path: string, text: string) => void): void {
  if (fileKind(path, bytes).form === "binary") return;
  const text = bytes.toString("utf8");
  if (isGenerated(path, text) === undefined) take(path, text);
}
