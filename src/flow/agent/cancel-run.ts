import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";
import { type RunFiles, readRunInfo } from "../../run/files/index.ts";
import { isOwnerGone } from "../../sandbox/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Place } from "../place.ts";

/** A file in a run's folder that asks its runtime to end it. */
const ASKED = "cancel";

/** Whether somebody asked for this run to be ended. */
export function isCancelled({ folder }: Pick<RunFiles, "folder">): boolean {
  return existsSync(join(folder, ASKED));
}

/**
 * Asks the runtimes of runs to end them: one run, or all of a task that go on.
 *
 * @returns the runs that were asked
 * @throws SwornError `NOT_FOUND` when nothing of that name is running
 */
export function cancelRuns(place: Place, name: string): RunInfo[] {
  const asked = runsOf(place).filter(
    ({ info }) => info.status === "running" && (info.run_id === name || info.task_id === name),
  );
  if (asked.length === 0) {
    throw new SwornError(
      "NOT_FOUND",
      `nothing called ${JSON.stringify(name)} is running here; "sworn agents runs" lists what is`,
    );
  }
  const left = asked.find(({ info }) => isCutShort(info));
  if (left !== undefined) {
    throw new SwornError(
      "NOT_FOUND",
      `run ${left.info.run_id} was cut short, and nobody is there to end it; "sworn resume --save" saves its work`,
    );
  }
  for (const { folder } of asked) writeFileSync(join(folder, ASKED), "");
  return asked.map(({ info }) => info);
}

/** Whether the runtime of a run that seems to go on is gone for certain. */
export function isCutShort({ status, runner }: RunInfo): boolean {
  return status === "running" && runner !== undefined && isOwnerGone(runner);
}

/** Every run of this project that left a folder, the oldest first. */
export function runsOf({ store }: Place): { folder: string; info: RunInfo }[] {
  const tasks = join(store, "tasks");
  return namesIn(tasks)
    .flatMap((task) =>
      namesIn(join(tasks, task, "runs")).map((id) => join(tasks, task, "runs", id)),
    )
    .flatMap((folder) => {
      const path = join(folder, "run-info.yaml");
      return existsSync(path) ? [{ folder, info: readRunInfo(path) }] : [];
    })
    .toSorted((one, other) => (one.info.run_id < other.info.run_id ? -1 : 1));
}

function namesIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}
