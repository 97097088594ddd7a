import { decodeUtf8, SwornError } from "../../base/index.ts";
import type { Repository, TreeEntry } from "../../repo/index.ts";

const FILE_BYTES_MAX = 16 * (1 << 20);

/** A file of a commit, as git stores it: no link is followed, on no disk is looked. */
export type CommitFile =
  | { readonly state: "text"; readonly text: string }
  | { readonly state: "absent" }
  /** It is there, and cannot be read as text. */
  | { readonly state: "unread"; readonly why: string };

/** Reads one file of a commit. @throws SwornError when git fails. */
export async function readCommitFile(
  repository: Repository,
  commit: string,
  path: string,
): Promise<CommitFile> {
  const entry = await repository.blobAt(commit, path);
  if (entry === undefined) return { state: "absent" };
  if (entry.kind !== "file") return { state: "unread", why: `${path} is a ${entry.kind}, no file` };
  const [bytes] = await readBlobs(repository, [entry]);
  try {
    return { state: "text", text: decodeUtf8(bytes ?? Buffer.alloc(0)) };
  } catch {
    // Bytes that are no text match no text; whoever asked is told that nothing was compared.
    return { state: "unread", why: `${path} is not UTF-8 text` };
  }
}

/**
 * The contents of files, in their order.
 *
 * @throws SwornError `LIMIT_EXCEEDED` or `STORE_UNREADABLE` when one cannot be had.
 */
export async function readBlobs(
  repository: Repository,
  entries: readonly Pick<TreeEntry, "path" | "blob">[],
): Promise<Buffer[]> {
  const reader = repository.openBlobs({ bytesMax: FILE_BYTES_MAX });
  try {
    return await Promise.all(
      entries.map(async ({ path, blob }) => {
        const content = await reader.read(blob);
        if (content.state === "content") return content.bytes;
        const isLarge = content.state === "too-large";
        throw new SwornError(
          isLarge ? "LIMIT_EXCEEDED" : "STORE_UNREADABLE",
          isLarge
            ? `${path} has ${content.size} bytes, expected at most ${FILE_BYTES_MAX}`
            : `the content of ${path} is ${content.state}`,
        );
      }),
    );
  } finally {
    await reader.close();
  }
}
