import { counted, SwornError } from "../../base/index.ts";
import { type BlobReader, type ChangedFile, Repository } from "../../repo/index.ts";
import { sidecarPathOf } from "../../scan/classify/index.ts";
import { fileAddress } from "../address/entry-address.ts";
import type { CheckSource } from "../check/check.ts";
import type { Quotable } from "./context-block.ts";

/** Files of one change that are told one by one. */
const FILES_MAX = 500;
const PATCH_BYTES_MAX = 1 << 20;
const SIDECAR_BYTES_MAX = 4_096;
const SIDECAR_SUFFIX = sidecarPathOf("");
/** Where git's patch of one file begins; in the patch itself each line has a sign before it. */
const FILE_START = /^diff --git /m;

/** What changed, and compared with what. */
export interface DiffPart {
  /** In words: which commits. */
  readonly between: string;
  readonly files: readonly Quotable[];
  /** Files beyond those that are told. */
  readonly more: number;
}

/**
 * What the current branch changes, file by file, from git's objects alone. What is not committed is
 * not in it: nobody could find it again.
 *
 * @param scope In brief a file's line of numbers, in full its patch.
 */
export async function diffOf(
  source: CheckSource,
  where: { readonly project: string; readonly task: string },
  scope: "brief" | "full",
): Promise<DiffPart> {
  const repository = await Repository.open(source.repository, source);
  const blobs = repository.openBlobs({ bytesMax: SIDECAR_BYTES_MAX + 1 });
  try {
    const { head, base } = await repository.resolveRange(source.at);
    const changed: ChangedFile[] = [];
    for await (const one of repository.changedFiles(base.tree, head)) changed.push(one);
    const patches = scope === "full" ? await patchesOf(repository, base.tree, head) : undefined;
    const beside = await sidecarsIn(repository, [base.tree, head]);
    const files = await Promise.all(
      changed.slice(0, FILES_MAX).map(async (file): Promise<Quotable> => {
        const blobsBeside = [file.path, file.oldPath ?? file.path].flatMap(
          (path) => beside.get(sidecarPathOf(path)) ?? [],
        );
        const sidecars = await Promise.all(blobsBeside.map((blob) => sidecarAt(blobs, blob)));
        const address = fileAddress(where, head, file.path);
        return { title: file.path, text: textOf(file, patches), address, sidecars };
      }),
    );
    const isTold = scope === "brief" || patches !== undefined;
    const large = isTold ? "" : `; its patch has more than ${PATCH_BYTES_MAX} bytes`;
    const between = `${base.commit ?? "nothing"} to ${head} (${base.how})${large}`;
    return { between, files, more: changed.length - files.length };
  } finally {
    await blobs.close();
    repository.close();
  }
}

function textOf(file: ChangedFile, patches: ReadonlyMap<string, string> | undefined): string {
  const { path, oldPath, status, added, deleted } = file;
  const numbers = `${status}, ${counted(added, "line")} added, ${deleted} removed`;
  const from = oldPath === undefined ? "" : `, from ${oldPath}`;
  const patch = patches?.get(path);
  return patch === undefined ? `${numbers}${from}` : `${numbers}${from}\n${patch}`;
}

/** The patch of each file by its path; undefined for a change that is too large to be read. */
async function patchesOf(repository: Repository, base: string, head: string) {
  const whole = await repository.patchText(base, head, PATCH_BYTES_MAX);
  if (whole === undefined) return undefined;
  const patches = new Map<string, string>();
  for (const part of whole.split(FILE_START).slice(1)) {
    const path = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? /^--- a\/(.+)$/m.exec(part)?.[1];
    if (path !== undefined) patches.set(path, part.slice(part.indexOf("\n") + 1));
  }
  return patches;
}

/**
 * The sidecars before and after a change, by their paths: whoever takes one away must not thereby
 * show what it kept.
 */
async function sidecarsIn(repository: Repository, trees: readonly string[]) {
  const found = new Map<string, string[]>();
  for (const tree of trees) {
    for await (const { path, blob } of repository.listTree(tree)) {
      if (path.endsWith(SIDECAR_SUFFIX)) found.set(path, [...(found.get(path) ?? []), blob]);
    }
  }
  return found;
}

/** What stands beside a file about who may see it; what cannot be read counts as the strictest. */
async function sidecarAt(blobs: BlobReader, blob: string): Promise<Uint8Array> {
  const content = await blobs.read(blob);
  return content.state === "content" ? content.bytes : Buffer.alloc(0);
}

/** Whether there is nothing to compare because there is no repository, or no commit in it. */
export function isNoRepository(error: unknown): error is SwornError {
  return error instanceof SwornError && error.code === "NOT_FOUND";
}
