import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRunInfo } from "../../run/files/index.ts";
import { RunId } from "../../schema/run-info.ts";
import { familyOf } from "../../vote/index.ts";
import type { Place } from "../place.ts";

/**
 * The family of the model behind a run, from what the runner wrote about it; undefined where no model
 * is known, as of a run that is damaged: a vote counts without it, and the status names that run.
 * Whoever ran cannot say it.
 */
export function modelFamily(place: Place, task: string, run: string): string | undefined {
  if (!RunId.safeParse(run).success) return undefined;
  const path = join(place.talkFolder(task), "runs", run, "run-info.yaml");
  try {
    const model = existsSync(path) ? readRunInfo(path).backend_model : undefined;
    return model === undefined ? undefined : familyOf(model);
  } catch {
    // Families are only ever noted, and one damaged run keeps nobody else from being asked.
    return undefined;
  }
}
