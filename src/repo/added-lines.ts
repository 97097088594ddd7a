import { SwornError } from "../base/index.ts";
import { PAIRING } from "./file-pairing.ts";
import type { Git } from "./git.ts";

/** Lines that a change brought into a file, first and last. */
export interface AddedLines {
  readonly from: number;
  readonly to: number;
}

const HUNKS_MAX = 5_000_000;
/** A header that matters is shorter; the rest of a line is not kept. */
const HEADER_CHARS_MAX = 400;

/**
 * Added lines for each pair of old and new content. They depend on nothing but the two contents, so
 * that names, which a repository can choose to confuse a reader of patches, play no part.
 */
export async function addedLinesOf(
  git: Git,
  base: string,
  head: string,
): Promise<Map<string, AddedLines[]>> {
  const shape = ["-p", "-U0", "--full-index", "--diff-filter=MRCT"];
  const patch = git.stream(["diff-tree", ...PAIRING, ...shape, base, head]);
  const found = new Map<string, AddedLines[]>();
  let current: AddedLines[] = [];
  let hunks = 0;
  for await (const line of headerLines(patch)) {
    const pair = /^index ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})/.exec(line);
    if (pair) {
      current = [];
      found.set(`${pair[1]}..${pair[2]}`, current);
    }
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (!hunk) continue;
    const [from, count] = [Number(hunk[1]), Number(hunk[2] ?? "1")];
    if (count > 0) current.push({ from, to: from + count - 1 });
    hunks += 1;
    if (hunks > HUNKS_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `the change has more than ${HUNKS_MAX} parts`);
    }
  }
  return found;
}

/** The key of a file's added lines. A change of type is a removal and an addition to git. */
export function pairKey(status: string, oldBlob: string | null, blob: string | null): string {
  const isNew = status === "typechange" || oldBlob === null;
  return `${isNew ? "0".repeat(blob?.length ?? 0) : oldBlob}..${blob}`;
}

/** Lines of a patch that are no content: without context lines, content starts with one of three marks. */
async function* headerLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun = "";
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(0x0a, from);
      const end = newline < 0 ? chunk.length : newline;
      begun += chunk.toString("latin1", from, Math.min(end, from + HEADER_CHARS_MAX));
      from = end + 1;
      if (newline < 0) continue;
      if (!/^[-+\\]/.test(begun)) yield begun;
      begun = "";
    }
    begun = begun.slice(0, HEADER_CHARS_MAX);
  }
}
