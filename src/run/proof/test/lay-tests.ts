import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SwornError } from "../../../base/index.ts";
import type { RawChange, Repository } from "../../../repo/index.ts";
import { isTestCode } from "../../../scan/kind/index.ts";
import { isCache } from "../../observe/index.ts";
import { readBlobs } from "../commit-file.ts";

const GONE = "000000";
const LINK = "120000";
const SUBMODULE = "160000";
const EXECUTABLE = "100755";

/** The changes of the work that are tests: they stay when the rest of it is taken out. */
export function testChanges(changes: readonly RawChange[], files: readonly string[]): RawChange[] {
  return changes.filter(
    ({ path, after }) =>
      (isTestCode(path) || files.includes(path)) && !isCache(path) && after.mode !== SUBMODULE,
  );
}

/**
 * Lays the tests of a later commit over the files of an earlier one, in a copy that is ours.
 *
 * @throws SwornError `PATH_ESCAPES` when a link of the earlier commit is in the way.
 */
export async function layTests(
  folder: string,
  changes: readonly RawChange[],
  repository: Repository,
): Promise<void> {
  const left = changes.filter(({ after }) => after.mode !== GONE);
  const blobs = left.map(({ path, after }) => ({ path, blob: after.id }));
  const contents = await readBlobs(repository, blobs);
  for (const { path } of changes) remove(folder, path);
  for (const [at, { path, after }] of left.entries()) {
    write(folder, path, after.mode, contents[at] ?? Buffer.alloc(0));
  }
}

function remove(folder: string, path: string): void {
  if (isClear(folder, path)) rmSync(join(folder, path), { force: true });
}

function write(folder: string, path: string, mode: string, content: Buffer): void {
  if (!isClear(folder, path)) {
    throw new SwornError("PATH_ESCAPES", `${path} would be written through a link or a file`);
  }
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  if (mode === LINK) {
    symlinkSync(content, target);
    return;
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(target, flags, mode === EXECUTABLE ? 0o755 : 0o644);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
  } finally {
    closeSync(fd);
  }
}

/** Whether every folder on the way is one: a link there would lead out of the copy. */
function isClear(folder: string, path: string): boolean {
  const parts = path.split("/").slice(0, -1);
  return parts.every((_, at) => {
    const found = lstatSync(join(folder, ...parts.slice(0, at + 1)), { throwIfNoEntry: false });
    return found === undefined || found.isDirectory();
  });
}
