import type { Repository } from "../repo/index.ts";

const BLOB_BYTES_MAX = 1 << 20;

/** One line that a change brings. */
export interface AddedLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines that a change brings, file by file; what is binary or very long is passed over. */
export async function* linesAdded(
  repository: Repository,
  before: string,
  after: string,
): AsyncGenerator<AddedLine> {
  if (before === after) return;
  const blobs = repository.openBlobs({ bytesMax: BLOB_BYTES_MAX });
  try {
    for await (const { path, blob, isBinary, ranges } of repository.changedFiles(before, after)) {
      if (blob === null || isBinary || ranges.length === 0) continue;
      const content = await blobs.read(blob);
      if (content.state !== "content") continue;
      const lines = content.bytes.toString("utf8").split("\n");
      yield* ranges.flatMap(({ from, to }) =>
        lines.slice(from - 1, to).map((text, at) => ({ path, line: from + at, text })),
      );
    }
  } finally {
    await blobs.close();
  }
}
