import { statSync } from "node:fs";
import { askVersion } from "./program-version.ts";

const KNOWN_MAX = 100;
/** A program can be a little script in front of another one, which changes without it. */
const KNOWN_MS_MAX = 60_000;

interface Known {
  readonly version: string | undefined;
  readonly askedMs: number;
}

const known = new Map<string, Known>();

/** What {@link askVersion} says, or said a moment ago about the very same files: each start takes its time. */
export async function knownVersion(
  argv: readonly [string, ...string[]],
  path: string,
): Promise<string | undefined> {
  const key = keyOf(argv, path);
  const before = known.get(key);
  if (before !== undefined && performance.now() - before.askedMs < KNOWN_MS_MAX) {
    return before.version;
  }
  const version = await askVersion(argv, path);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, { version, askedMs: performance.now() });
  return version;
}

/** The words and, of those that are files, what changes with them. */
function keyOf(argv: readonly string[], path: string): string {
  const files = argv.map((word) => {
    const stat = statSync(word, { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? "" : [stat.dev, stat.ino, stat.size, stat.ctimeNs].join(" ");
  });
  return [path, ...argv, ...files].join("\0");
}
