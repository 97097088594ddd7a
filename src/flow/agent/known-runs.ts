import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";
import { readRunInfo } from "../../run/files/index.ts";
import { isOwnerGone } from "../../sandbox/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Place } from "../place.ts";

/** The run that somebody means, by its id or as the latest. @throws SwornError `NOT_FOUND`. */
export function runNamed(runs: readonly RunInfo[], name: string): RunInfo {
  const info = name === "latest" ? runs.at(-1) : runs.find(({ run_id: id }) => id === name);
  if (info !== undefined) return info;
  throw new SwornError(
    "NOT_FOUND",
    `there is no run ${JSON.stringify(name)}; see "sworn agents runs"`,
  );
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
