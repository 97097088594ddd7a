import { existsSync } from "node:fs";
import { isOwnerGone } from "../../sandbox/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { runsOf } from "../agent/known-runs.ts";
import type { Place } from "../place.ts";

/** Whether an agent that is said to run is there, and how that is known. */
export interface Liveness {
  readonly agent: string;
  readonly run_id: string;
  readonly is_alive: boolean;
  readonly why: string;
}

/**
 * Looks for the processes of runs that have not ended. Nobody is asked: no message and no status of
 * an agent makes it alive, and none that is missing makes it dead.
 */
export function livenessOf(place: Place, running: ReadonlySet<string>): Liveness[] {
  return runsOf(place)
    .filter(({ info }) => running.has(info.run_id))
    .map(({ info }) => ({ agent: info.agent, run_id: info.run_id, ...lookFor(info) }));
}

function lookFor({ status, runner, pid }: RunInfo): Pick<Liveness, "is_alive" | "why"> {
  if (status !== "running") return { is_alive: false, why: `its run is ${status}` };
  if (runner === undefined || isOwnerGone(runner)) {
    return { is_alive: false, why: "the runtime that started it is gone" };
  }
  if (pid === 0) return { is_alive: false, why: "no process of it was seen yet" };
  return existsSync(`/proc/${pid}`)
    ? { is_alive: true, why: `process ${pid} is there` }
    : { is_alive: false, why: `process ${pid} is gone` };
}
