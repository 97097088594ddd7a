import type { BlobReader, ChangedFile, Repository } from "../../repo/index.ts";
import { concernsTests, isTestMatter } from "../../scan/kind/index.ts";
import {
  type ChangedSource,
  findWeakenedTests,
  languageOfMarks,
  type WeakenedTest,
} from "../../scan/weaken/index.ts";
import { readText } from "../review/subject.ts";

/** All texts of one change together; a change that is larger is reported as not judged. */
const CHARS_MAX = 64 * (1 << 20);

/**
 * What a change takes away from the tests. `before` and `after` are commits or trees. A file of
 * tests, or one that decides which tests run, that cannot be read is a finding as well.
 *
 * @throws SwornError where there is no such commit, or git cannot say what differs.
 */
export async function weakenedBetween(
  repository: Repository,
  before: string,
  after: string,
): Promise<readonly WeakenedTest[]> {
  const blobs = repository.openBlobs();
  try {
    const changes: ChangedFile[] = [];
    for await (const change of repository.changedFiles(before, after)) changes.push(change);
    return await weakenedBy(changes, blobs);
  } finally {
    await blobs.close();
  }
}

/** The same for changes that are known already. */
async function weakenedBy(
  changes: readonly ChangedFile[],
  blobs: BlobReader,
): Promise<readonly WeakenedTest[]> {
  const { sources, unread } = await readSources(changes, blobs);
  return [...unread, ...findWeakenedTests(sources)];
}

/** What has to be read of a change to judge its tests, and what of it could not be. */
export async function readSources(
  changes: readonly ChangedFile[],
  blobs: BlobReader,
): Promise<{
  readonly sources: readonly ChangedSource[];
  readonly unread: readonly WeakenedTest[];
}> {
  const sources: ChangedSource[] = [];
  const unread: WeakenedTest[] = [];
  let chars = 0;
  const isAny = (one: ChangedFile, test: (path: string) => boolean) =>
    test(one.path) || test(one.oldPath ?? one.path);
  const isRead = (path: string) => concernsTests(path) || languageOfMarks(path) !== undefined;
  for (const change of changes.filter((one) => isAny(one, isRead))) {
    const { path } = change;
    const read = await sourceOf(change, blobs);
    if ("why" in read) {
      // What holds no test cannot lose one.
      if (isAny(change, isTestMatter)) unread.push(notJudged(path, read.why));
      continue;
    }
    chars += charsOf(read);
    if (chars > CHARS_MAX)
      return { sources: [], unread: [notJudged(path, "the change is too large")] };
    sources.push(read);
  }
  return { sources, unread };
}

function charsOf({ before = "", after = "" }: ChangedSource): number {
  return before.length + after.length;
}

function notJudged(path: string, why: string): WeakenedTest {
  const message = `${path} could not be read: not judged, because ${why}`;
  return { kind: "unread", severity: "weakened", path, side: "after", message };
}

/** Both versions of a file; a copy is a new file, and what is now a link holds no test. */
async function sourceOf(
  { path, oldPath, status, kind, oldBlob, blob }: ChangedFile,
  blobs: BlobReader,
): Promise<ChangedSource | { readonly why: string }> {
  const [old, now] = [status === "copied" ? null : oldBlob, kind === "file" ? blob : null];
  const before = old === null ? undefined : await readText(blobs, { blob: old, size: null });
  const after = now === null ? undefined : await readText(blobs, { blob: now, size: null });
  if (before && "why" in before) return before;
  if (after && "why" in after) return after;
  return {
    path,
    ...(before ? { before: before.text } : {}),
    ...(after ? { after: after.text } : {}),
    ...(status === "renamed" && oldPath !== undefined ? { renamedFrom: oldPath } : {}),
  };
}
