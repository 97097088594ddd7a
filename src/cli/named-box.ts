import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SwornError } from "../base/index.ts";
import type { Io } from "./io.ts";

/**
 * A mailbox that somebody named. The project's own is there once it is needed; of any other, no mail and no
 * folder are two things.
 *
 * @throws SwornError `NOT_FOUND` when there is no such folder.
 */
export function namedBox(box: string, { cwd }: Io): string {
  const folder = resolve(cwd, box);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new SwornError("NOT_FOUND", `there is no mailbox ${folder}: expected a folder`);
}
