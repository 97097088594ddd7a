import { SwornError } from "../base/index.ts";
import { PAIRING } from "./file-pairing.ts";
import type { Git } from "./git.ts";
import { assertId } from "./tree-listing.ts";

/** A change as a patch for reading; undefined when it has more bytes than its reader can take. */
export async function patchText(
  git: Git,
  base: string,
  head: string,
  bytesMax: number,
): Promise<string | undefined> {
  for (const id of [base, head]) assertId(id);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of git.stream(["diff-tree", ...PAIRING, "-p", base, head])) {
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
): AsyncGenerator<Buffer> {
  for (const id of [base, head]) assertId(id);
  let size = 0;
  const how = ["-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff"];
  for await (const chunk of git.stream(["diff-tree", ...how, "--no-textconv", base, head])) {
    size += chunk.length;
    if (size > bytesMax) {
      throw new SwornError("LIMIT_EXCEEDED", `the change has more than ${bytesMax} bytes`);
    }
    yield chunk;
  }
}
