import { SwornError } from "../base/index.ts";
import { PAIRING } from "./file-pairing.ts";
import type { Git } from "./git.ts";
import { nulRecords } from "./git-path.ts";
import { assertId } from "./tree-listing.ts";

const PATH_BYTES_MAX = 1 << 20;
/** Files that a change takes away whole are left out: it brings nothing of theirs to anybody. */
const WITHOUT_DELETED = "--diff-filter=d";

/** A change as a patch for reading; undefined when it has more bytes than its reader can take. */
export async function patchText(
  git: Git,
  base: string,
  head: string,
  bytesMax: number,
  { isDeletedShown = true }: { readonly isDeletedShown?: boolean } = {},
): Promise<string | undefined> {
  for (const id of [base, head]) assertId(id);
  const chunks: Buffer[] = [];
  let size = 0;
  const how = [...PAIRING, "-p", ...(isDeletedShown ? [] : [WITHOUT_DELETED])];
  for await (const chunk of git.stream(["diff-tree", ...how, base, head])) {
    size += chunk.length;
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * A change with all of its bytes in pieces, as `git apply` takes it: whole ids, binary files and no renames.
 *
 * @throws SwornError `LIMIT_EXCEEDED`.
 */
export async function* changeDiff(
  git: Git,
  base: string,
  head: string,
  bytesMax: number,
  { isDeletedShown = true }: { readonly isDeletedShown?: boolean } = {},
): AsyncGenerator<Buffer> {
  for (const id of [base, head]) assertId(id);
  let size = 0;
  const shown = isDeletedShown ? [] : [WITHOUT_DELETED];
  const how = ["-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", ...shown];
  for await (const chunk of git.stream(["diff-tree", ...how, "--no-textconv", base, head])) {
    size += chunk.length;
    if (size > bytesMax) {
      throw new SwornError("LIMIT_EXCEEDED", `the change has more than ${bytesMax} bytes`);
    }
    yield chunk;
  }
}

/**
 * What every commit between two brings along, with its words: what one of them added and a later one
 * took away is in no change between the two, and is published with them all the same. What was there
 * before and is deleted whole is not shown: whoever gets these commits has it from the first one.
 *
 * @throws SwornError `LIMIT_EXCEEDED`.
 */
export async function* historyDiff(
  git: Git,
  base: string,
  head: string,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const plain = ["--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const how = ["-m", "-p", WITHOUT_DELETED, ...plain];
  let size = 0;
  for await (const chunk of git.stream(logOf(base, head, ["--format=%an <%ae>%n%B", ...how]))) {
    size += chunk.length;
    if (size > bytesMax) {
      const what = `the commits since ${base} have more than ${bytesMax} bytes to look through`;
      throw new SwornError("LIMIT_EXCEEDED", what);
    }
    yield chunk;
  }
}

/** The path of every file that a commit between two changed; one may come more than once. */
export async function* historyPaths(git: Git, base: string, head: string): AsyncGenerator<string> {
  const how = ["-z", "-m", "--format=", "--name-only", "--no-renames", WITHOUT_DELETED];
  for await (const record of nulRecords(git.stream(logOf(base, head, how)), PATH_BYTES_MAX)) {
    const path = Buffer.from(record).toString("utf8").replace(/^\n+/, "");
    if (path !== "") yield path;
  }
}

function logOf(base: string, head: string, how: readonly string[]): string[] {
  for (const id of [base, head]) assertId(id);
  return ["log", "--no-show-signature", ...how, head, `^${base}`, "--"];
}
