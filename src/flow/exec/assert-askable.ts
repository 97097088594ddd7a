import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";
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

/** Nothing that is there is written over. */
function assertFree(folder: string): void {
  if (!existsSync(folder)) {
    mkdirSync(join(folder, ".."), { recursive: true });
    return;
  }
  if (readdirSync(folder).length === 0) return;
  throw new SwornError("ALREADY_EXISTS", `--out ${folder} is not empty; name another folder`);
}
