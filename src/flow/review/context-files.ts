import type { BuiltInOptions } from "./built-in.ts";
import type { OpenReading } from "./open-reading.ts";

const FILES_MAX = 5_000;
const CHARS_MAX = 64 * (1 << 20);
const WHAT = "the rest of the tree";

/**
 * Shows a reviewer the files that are not under review and that it needs to judge those that are.
 * What it could not be shown is a gap: it may then miss something, and never knows.
 */
export async function showContext(
  { tally, reviewer, reading, taken }: OpenReading,
  { paths, readOther, signal }: BuiltInOptions,
): Promise<void> {
  if (taken.size === 0 || reviewer.context === undefined) return;
  const wanted = [...paths].filter((path) => !taken.has(path) && reviewer.context?.(path));
  const gap = (why: string) => tally.gaps.push({ what: WHAT, who: tally.name, why });
  if (wanted.length > FILES_MAX) gap(`it has over ${FILES_MAX} files that would have to be read`);
  let chars = 0;
  for (const path of wanted.slice(0, FILES_MAX)) {
    if (signal.aborted) return;
    const read = await readOther(path);
    if (!("text" in read)) continue;
    chars += read.text.length;
    if (chars > CHARS_MAX) {
      gap(`it has over ${CHARS_MAX} characters that would have to be read`);
      return;
    }
    reading.see?.({ path, text: read.text });
  }
}
