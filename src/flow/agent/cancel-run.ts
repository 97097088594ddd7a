import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";
import type { RunFiles } from "../../run/files/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Place } from "../place.ts";
import { damagedWords, isCutShort, readRuns } from "./known-runs.ts";

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
  const { runs, damaged } = readRuns(place);
  const isMeant = (one: Pick<RunInfo, "run_id" | "task_id">) =>
    one.run_id === name || one.task_id === name;
  const meant = runs.filter(({ info }) => info.status === "running" && isMeant(info));
  const unread = damaged.filter(isMeant);
  // It may go on for all that is known; where it does not, nobody reads what is asked.
  for (const { folder } of unread) ask(folder);
  if (meant.length + unread.length === 0) {
    throw new SwornError(
      "NOT_FOUND",
      `nothing called ${JSON.stringify(name)} is running here; "sworn agents runs" lists what is`,
    );
  }
  const asked = meant.filter(({ info }) => !isCutShort(info));
  const left = [
    ...meant.filter(({ info }) => isCutShort(info)).map(({ info }) => whyLeft(info)),
    ...unread.map((run) => `${damagedWords(run)}; it was asked to end, in case it goes on`),
  ];
  if (asked.length === 0) throw new SwornError("NOT_FOUND", left.join("; "));
  for (const { folder } of asked) ask(folder);
  return { asked: asked.map(({ info }) => info), left };
}

function ask(folder: string): void {
  writeFileSync(join(folder, ASKED), "");
}

function whyLeft({ run_id: id }: RunInfo): string {
  const next = '"sworn resume --save" saves its work';
  return `run ${id} was cut short, and nobody is there to end it; ${next}`;
}
