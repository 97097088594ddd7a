import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";
import type { RunFiles } from "../../run/files/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Place } from "../place.ts";
import { isCutShort, runsOf } from "./known-runs.ts";

/** A file in a run's folder that asks its runtime to end it. */
const ASKED = "cancel";

/** Whether somebody asked for this run to be ended. */
export function isCancelled({ folder }: Pick<RunFiles, "folder">): boolean {
  return existsSync(join(folder, ASKED));
}

/** Which runs were asked to end, and why others of that name could not be. */
export interface CalledOff {
  readonly asked: readonly RunInfo[];
  readonly left: readonly string[];
}

/**
 * Asks the runtimes of runs to end them: one run, or all of a task that go on.
 *
 * @throws SwornError `NOT_FOUND` when nothing of that name is running
 */
export function cancelRuns(place: Place, name: string): CalledOff {
  const meant = runsOf(place).filter(
    ({ info }) => info.status === "running" && (info.run_id === name || info.task_id === name),
  );
  if (meant.length === 0) {
    throw new SwornError(
      "NOT_FOUND",
      `nothing called ${JSON.stringify(name)} is running here; "sworn agents runs" lists what is`,
    );
  }
  const asked = meant.filter(({ info }) => !isCutShort(info));
  const left = meant.filter(({ info }) => isCutShort(info)).map(({ info }) => whyLeft(info));
  if (asked.length === 0) throw new SwornError("NOT_FOUND", left.join("; "));
  for (const { folder } of asked) writeFileSync(join(folder, ASKED), "");
  return { asked: asked.map(({ info }) => info), left };
}

function whyLeft({ run_id: id }: RunInfo): string {
  const next = '"sworn resume --save" saves its work';
  return `run ${id} was cut short, and nobody is there to end it; ${next}`;
}
