import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ensureFolder, SwornError } from "../../base/index.ts";
import type { ExecRequest } from "./exec.ts";

/** As many as a manifest lists. */
const ARGUMENTS_MAX = 1_000;

/** Refuses what could only fail later, when the run would have been for nothing. */
export function assertAskable({ out, argv }: ExecRequest): void {
  if (out !== undefined) assertFree(out);
  if (argv.length > ARGUMENTS_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `expected at most ${ARGUMENTS_MAX} arguments`);
  }
}

/**
 * Nothing that is there is written over.
 *
 * @throws SwornError `INPUT_INVALID` where no folder can be, `ALREADY_EXISTS` where one has something in it.
 */
export function assertFree(folder: string): void {
  const file = fileOnTheWayTo(folder);
  if (file !== undefined) {
    throw new SwornError(
      "INPUT_INVALID",
      `--out: ${file} is a file; expected a folder that is empty or not there yet; name another`,
    );
  }
  if (!existsSync(folder)) {
    ensureFolder(dirname(resolve(folder)));
    return;
  }
  if (readdirSync(folder).length === 0) return;
  throw new SwornError("ALREADY_EXISTS", `--out ${folder} is not empty; name another folder`);
}

/** What is there and no folder: itself, or the nearest above it that exists. */
function fileOnTheWayTo(folder: string): string | undefined {
  let path = resolve(folder);
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path);
  return statSync(path).isDirectory() ? undefined : path;
}
