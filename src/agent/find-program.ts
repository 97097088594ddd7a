import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";
import type { ProgramFound, ProgramMissing } from "./driver.ts";
import { interpreterOf } from "./interpreter.ts";
import { knownVersion } from "./known-version.ts";
import { foldersOf } from "./program-folders.ts";

/** Where to look for a program, and where not. */
export interface ProgramSearch {
  /** The caller's PATH. */
  readonly path: string;
  /** The caller's home: it is never shown inside as a whole. */
  readonly home: string;
  /**
   * Folders whose content is not the user's own choice, such as the work tree. Nothing in them is
   * run, not even to ask for its version: a repository could bring a program called `codex`.
   */
  readonly untrusted: readonly string[];
  /** Whether a sandbox can see a file. Of several on the PATH, one that it can see is taken. */
  readonly isSeen?: (path: string) => boolean;
}

const PATH_ENTRIES_MAX = 1_000;

/** Looks a program up by name or absolute path, without a shell, and asks it for its version. */
export async function findProgram(
  program: string,
  search: ProgramSearch,
): Promise<ProgramFound | ProgramMissing> {
  const path = locate(program, search);
  if (typeof path !== "string") return path;
  const interpreter = interpreterOf(path, (name) => {
    const found = locate(name, search);
    return typeof found === "string" ? found : undefined;
  });
  if (typeof interpreter === "object" && "missing" in interpreter) return interpreter;
  const argv: [string, ...string[]] =
    interpreter === undefined ? [path] : [interpreter.path, ...interpreter.args, path];
  return {
    path,
    argv,
    // A project's file can name any program by its path; nothing of it is run just to look at it.
    version: program.includes("/") ? undefined : await knownVersion(argv, search.path),
    folders: foldersOf(path, interpreter?.path, search.home, program.includes("/")),
  };
}

/** The file behind a name, or why there is none. */
function locate(program: string, search: ProgramSearch): string | ProgramMissing {
  if (program.includes("/")) {
    if (!isAbsolute(program)) {
      return { missing: `${program} is a relative path: expected a name or an absolute path` };
    }
    return trusted(program, search) ?? { missing: `${program} is no program that may be run` };
  }
  return onPath(program, search) ?? { missing: `${program} is not on the PATH` };
}

/** The first on the PATH that a sandbox can see; the first at all where it can see none. */
function onPath(program: string, search: ProgramSearch): string | undefined {
  let hidden: string | undefined;
  for (const folder of search.path.split(delimiter).slice(0, PATH_ENTRIES_MAX)) {
    // An empty or relative entry means the current folder: whatever lies there is not ours.
    const found = isAbsolute(folder) ? trusted(join(folder, program), search) : undefined;
    if (found === undefined) continue;
    if (search.isSeen?.(found) ?? true) return found;
    hidden ??= found;
  }
  return hidden;
}

function trusted(path: string, search: ProgramSearch): string | undefined {
  try {
    const file = realpathSync(path);
    if (isWithin(path, search.untrusted) || isWithin(file, search.untrusted)) return undefined;
    if (!statSync(file).isFile()) return undefined;
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    // Not there or not to be run: the search goes on.
    return undefined;
  }
}

function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    for (const known of [folder, realOf(folder)]) {
      if (path === known || path.startsWith(known.endsWith(sep) ? known : known + sep)) return true;
    }
    return false;
  });
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // A folder that is not there holds nothing.
    return folder;
  }
}
