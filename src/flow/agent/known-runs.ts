import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { messageOf, SwornError } from "../../base/index.ts";
import { readRunInfo } from "../../run/files/index.ts";
import { isOwnerGone } from "../../sandbox/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Place } from "../place.ts";

/** A run whose folder is there, and nothing else that is known of it can be read. */
export interface DamagedRun {
  readonly folder: string;
  readonly run_id: string;
  readonly task_id: string;
  readonly why: string;
}

/** The runs of a project, the oldest first. */
export interface RunsHere {
  readonly runs: readonly { readonly folder: string; readonly info: RunInfo }[];
  readonly damaged: readonly DamagedRun[];
}

/**
 * The run that somebody means, by its id or as the latest.
 *
 * @throws SwornError `NOT_FOUND`; `STORE_UNREADABLE` where it is damaged: an earlier one is not the latest.
 */
export function runNamed({ runs, damaged }: RunsHere, name: string): RunInfo {
  const ids = [...runs.map(({ info }) => info), ...damaged].map(({ run_id }) => run_id);
  const id = name === "latest" ? ids.toSorted().at(-1) : name;
  const broken = damaged.find(({ run_id }) => run_id === id);
  if (broken !== undefined) throw new SwornError("STORE_UNREADABLE", damagedWords(broken));
  const found = runs.find(({ info }) => info.run_id === id);
  if (found !== undefined) return found.info;
  throw new SwornError(
    "NOT_FOUND",
    `there is no run ${JSON.stringify(name)}; see "sworn agents runs"`,
  );
}

/** Names a damaged run, why it is one, and what to do. */
export function damagedWords({ run_id: id, folder, why }: DamagedRun): string {
  return `run ${id} cannot be read: ${why}; put its run-info.yaml right, or remove ${folder}`;
}

/** Whether the runtime of a run that seems to go on is gone for certain. */
export function isCutShort({ status, runner }: RunInfo): boolean {
  return status === "running" && runner !== undefined && isOwnerGone(runner);
}

/** Every run of this project that left a folder and can be read, the oldest first. */
export function runsOf(place: Place): RunsHere["runs"] {
  return readRuns(place).runs;
}

/** Every run of this project that left a folder; one that is damaged keeps no other from being read. */
export function readRuns({ store }: Place): RunsHere {
  const tasks = join(store, "tasks");
  const runs: { folder: string; info: RunInfo }[] = [];
  const damaged: DamagedRun[] = [];
  for (const task of namesIn(tasks)) {
    for (const id of namesIn(join(tasks, task, "runs"))) {
      const folder = join(tasks, task, "runs", id);
      const path = join(folder, "run-info.yaml");
      if (!existsSync(path)) continue;
      try {
        runs.push({ folder, info: readRunInfo(path) });
      } catch (error) {
        damaged.push({ folder, run_id: id, task_id: task, why: messageOf(error) });
      }
    }
  }
  return {
    runs: runs.toSorted((one, other) => (one.info.run_id < other.info.run_id ? -1 : 1)),
    damaged: damaged.toSorted((one, other) => (one.run_id < other.run_id ? -1 : 1)),
  };
}

function namesIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : [];
}
