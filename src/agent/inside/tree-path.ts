import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

const PATH_CHARS_MAX = 4_096;
/** Steps up to a folder that exists. */
const PARENTS_MAX = 256;

/** Why a path is not to be used, in words for whoever asked. */
export class CallRefused extends Error {}

/**
 * The real place of a path in the work tree: what it says, with every link in it followed. A link that
 * leads out is refused, whether it is the file itself or a folder on the way. The sandbox is what
 * confines; this keeps an honest mistake from being made at all.
 *
 * @throws CallRefused
 */
export function pathInTree(tree: string, path: unknown): string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    throw new CallRefused("expected a path as text");
  }
  if (path.length > PATH_CHARS_MAX) {
    throw new CallRefused(`expected a path of at most ${PATH_CHARS_MAX} characters`);
  }
  const root = realpathSync(tree);
  // Both spellings of the tree are its own: an agent may know it by either.
  const wanted = resolve(tree, path);
  const real = realOf(isWithin(wanted, tree) ? join(root, wanted.slice(tree.length)) : wanted);
  if (!isWithin(real, root)) throw new CallRefused(`${path} is outside of the work tree`);
  return real;
}

/** As much of it as exists, with links followed, and the rest as it stands. */
function realOf(path: string): string {
  let rest = "";
  let existing = path;
  for (let step = 0; step < PARENTS_MAX; step += 1) {
    try {
      return join(realpathSync(existing), rest);
    } catch (error) {
      if (!isMissing(error) || isThere(existing)) {
        throw new CallRefused(`${path} cannot be followed to its end`);
      }
      rest = join(basename(existing), rest);
      existing = dirname(existing);
    }
  }
  throw new CallRefused(`${path} is nested too deep`);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** A link whose target is missing exists itself: writing there would make the target. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
