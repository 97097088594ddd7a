import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/index.ts";
import { runsOf } from "../agent/known-runs.ts";
import type { Place } from "../place.ts";

const POINTER_BYTES_MAX = 1 << 10;
/** What the runs of those who look at a work are filed under. */
const LOOKING = "work-gates";
/** What those of its subtasks are filed under; the doing of works is far too much to load for a name. */
const SUBTASK = /^work-[0-9a-z]{26}-st-\d{2,4}$/;

/** Whether a task is part of a work, which has a trace of its own that tells of it. */
export function isInnerTask(task: string): boolean {
  return task === LOOKING || SUBTASK.test(task);
}

/** The traces that only tell a part of what another one tells whole: runs and talk within a work. */
export function innerTraces(place: Place): ReadonlySet<string> {
  const runs = runsOf(place).flatMap(({ info: { task_id, trace } }) =>
    trace !== undefined && isInnerTask(task_id) ? [trace] : [],
  );
  const talk = place
    .tasks()
    .filter(isInnerTask)
    .map((task) => join(place.talkFolder(task), "trace"))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readPlainFile(path, POINTER_BYTES_MAX, "refuse").toString().trimEnd());
  return new Set([...runs, ...talk]);
}
