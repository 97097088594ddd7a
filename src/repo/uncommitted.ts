import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git.ts";

/** What git may say about a work tree; for a larger one the hint is left out. */
const ANSWER_BYTES_MAX = 16 << 20;

/**
 * Files of the work tree that look changed since they were staged, and new ones. It goes by size and
 * time alone and opens no file: git itself, asked the same, could start a filter that the repository
 * configures. So it is a hint for a person and nothing more.
 */
export async function uncommittedFiles(references: Git, root: string): Promise<string[]> {
  const known = await ask(references, ["ls-files", "--debug", "-z"]);
  const entries = [...known.matchAll(ENTRY)];
  const changed = entries.flatMap(([, path = "", seconds, nanoseconds, size]) =>
    isAsStaged(join(root, path), `${seconds}:${nanoseconds}`, Number(size)) ? [] : [path],
  );
  const others = await ask(references, ["ls-files", "--others", "--exclude-standard", "-z"]);
  return [...changed, ...others.split("\0").filter((path) => path !== "")];
}

/** A name up to NUL, then lines of what was known of the file when it was staged. */
const ENTRY =
  /([^\0]+)\0 {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/g;

function isAsStaged(path: string, time: string, size: number): boolean {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return false;
  // A folder is a submodule, whose state is its own business.
  if (stat.isDirectory()) return true;
  const found = `${stat.mtimeNs / 1_000_000_000n}:${stat.mtimeNs % 1_000_000_000n}`;
  return stat.size === BigInt(size) && found === time;
}

/** All of an answer; nothing where it is longer than a hint is worth. */
async function ask(references: Git, args: readonly string[]): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of references.stream(args)) {
    size += part.length;
    if (size > ANSWER_BYTES_MAX) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
