import { readdirSync } from "node:fs";
import { SwornError } from "../../base/index.ts";
import {
  type Detection,
  detectEnvironment,
  type EnvironmentHints,
} from "../../sandbox/environment/index.ts";

/**
 * Which environment fits the work in a folder. Nothing in the folder is opened: the names at its
 * top are enough, and they are the last thing that is asked.
 *
 * @throws SwornError `NOT_FOUND` when there is no such folder.
 */
export function detectInFolder(folder: string, hints: Omit<EnvironmentHints, "files">): Detection {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return detectEnvironment({ ...hints, files });
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `the folder ${folder} cannot be read`, { cause });
  }
}
