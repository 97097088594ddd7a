import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git.ts";
import type { References } from "./references.ts";

/** What git may say about a work tree; of a larger one nothing is known. */
const ANSWER_BYTES_MAX = 16 << 20;

/**
 * Files that are in no commit as they are: staged ones, ones that look changed since, and new ones.
 * Of the work tree it sees sizes and times alone and opens no file: git itself, asked whether a file
 * was changed, could start a filter that the repository configures. So it is a hint for a person.
 *
 * @throws SwornError `STORE_UNREADABLE` when git cannot read the index.
 */
export async function uncommittedFiles(names: References, root: string): Promise<string[]> {
  const references = names.git;
  const hasCommit = (await names.commitCalled("HEAD")) !== undefined;
  // Before the first commit all of the index is in none.
  const staged = hasCommit
    ? ["diff-index", "--cached", "--name-only", "--no-renames", "-z", "HEAD"]
    : ["ls-files", "-z"];
  const others = ["ls-files", "--others", "--exclude-standard", "-z"];
  const all = ["ls-files", "--debug", "-z"];
  const [inIndex, inStage, beside] = await Promise.all(
    [all, staged, others].map((args) => ask(references, args)),
  );
  const changed = knownFiles(inIndex ?? []).filter((one) => !isAsStaged(join(root, one.path), one));
  return [...new Set([...(inStage ?? []), ...changed.map(({ path }) => path), ...(beside ?? [])])];
}

/** A file of the index, and what it was like when it was staged. */
interface KnownFile {
  readonly path: string;
  readonly time: string;
  readonly size: bigint;
}

/** What stands behind each name: what was known of its file, and then the next name. */
const STATE =
  /^ {2}ctime: \d+:\d+\n {2}mtime: (\d+:\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/;

function knownFiles([first = "", ...rest]: readonly string[]): KnownFile[] {
  const files: KnownFile[] = [];
  let path = first;
  for (const part of rest) {
    const [state, time, size] = STATE.exec(part) ?? [];
    if (state === undefined || time === undefined || size === undefined) break;
    files.push({ path, time, size: BigInt(size) });
    path = part.slice(state.length);
  }
  return files;
}

function isAsStaged(path: string, { time, size }: KnownFile): boolean {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return false;
  // A folder is a submodule, whose state is its own business.
  if (stat.isDirectory()) return true;
  const found = `${stat.mtimeNs / 1_000_000_000n}:${stat.mtimeNs % 1_000_000_000n}`;
  return stat.size === size && found === time;
}

/** The parts of an answer; none where it is longer than a hint is worth. */
async function ask(references: Git, args: readonly string[]): Promise<string[]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of references.stream(args)) {
    size += part.length;
    if (size > ANSWER_BYTES_MAX) return [];
    parts.push(part);
  }
  return Buffer.concat(parts)
    .toString("utf8")
    .split("\0")
    .filter((part) => part !== "");
}
