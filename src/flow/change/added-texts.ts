import type { Repository } from "../../repo/index.ts";

/** Lockfiles and generated sources are long; what is longer than this is named as not looked at. */
const BLOB_BYTES_MAX = 16 << 20;

/** What a change brings to one file, line by line, or why nobody could read it. */
export interface AddedText {
  readonly path: string;
  /** Its first line, whether the change brings it or not; empty where nobody could read it. */
  readonly start: string;
  /** Each with its number, from 1. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
  readonly unread: string | undefined;
}

/** The text that a change brings, file by file. What is binary holds none. */
export async function* addedTexts(
  repository: Repository,
  before: string,
  after: string,
): AsyncGenerator<AddedText> {
  if (before === after) return;
  const blobs = repository.openBlobs({ bytesMax: BLOB_BYTES_MAX });
  try {
    for await (const { path, blob, isBinary, ranges } of repository.changedFiles(before, after)) {
      if (blob === null || isBinary || ranges.length === 0) continue;
      const content = await blobs.read(blob);
      if (content.state !== "content") {
        yield { path, start: "", lines: [], unread: content.state };
        continue;
      }
      const texts = content.bytes.toString("utf8").split("\n");
      const lines = ranges.flatMap(({ from, to }) =>
        texts.slice(from - 1, to).map((text, at) => ({ line: from + at, text })),
      );
      yield { path, start: texts[0] ?? "", lines, unread: undefined };
    }
  } finally {
    await blobs.close();
  }
}
