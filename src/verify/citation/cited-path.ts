import { withHidden } from "./written-out.ts";

const SEGMENTS_MAX = 200;
/** Nothing to resolve: no segment is empty or begins with a dot. */
const NORMAL = /^[^/.][^/]*(?:\/[^/.][^/]*)*$/;

/** What makes {@link pathsMeant} think of other paths. */
const MEANS_MORE = /^(?:\/|[ab]\/)|\\|⟦/;

/**
 * A path as a tree has it: no leading slash or dot, no doubled slash, `..` resolved. Undefined when
 * it leads out of the repository or cannot be a path.
 */
export function normalizePath(written: string): string | undefined {
  if (written.includes("\0")) return undefined;
  return NORMAL.test(written) && written.length < SEGMENTS_MAX ? written : resolved(written);
}

function resolved(written: string): string | undefined {
  const out: string[] = [];
  for (const segment of written.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") out.push(segment);
    else if (out.pop() === undefined) return undefined;
  }
  return out.length === 0 || out.length > SEGMENTS_MAX ? undefined : out.join("/");
}

/**
 * An agent may have written where the repository lay on its machine. At least a folder and a name
 * must be left, or every made-up path with a common name would be right.
 */
function endsOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1, -1).map((_, at) => segments.slice(at + 1).join("/"));
}

/**
 * The paths that a citation may mean, likeliest first: as written, with Windows' slashes, with what
 * a report writes out, from a diff.
 */
export function pathsMeant(written: string): string[] {
  const plain = normalizePath(written);
  if (plain === undefined) return [];
  if (!MEANS_MORE.test(written)) return [plain];
  const slashed = plain.includes("\\") ? normalizePath(plain.replaceAll("\\", "/")) : undefined;
  const hidden = normalizePath(withHidden(plain) ?? "");
  const meant = [plain, slashed, hidden].filter((path) => path !== undefined);
  if (written.startsWith("/")) meant.push(...endsOf(plain));
  // "a/" and "b/" stand before the names of the old and the new file in a diff.
  return [...meant, ...meant.filter((path) => /^[ab]\/./.test(path)).map((path) => path.slice(2))];
}
