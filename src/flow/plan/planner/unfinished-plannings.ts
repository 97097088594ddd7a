import { readPlainFile } from "../../../base/index.ts";
import type { RunInfo } from "../../../schema/run-info.ts";
import type { Place } from "../../place.ts";
import { findPlanningTrace, isOwnTrace, recallPlanning } from "./recall-planning.ts";

/** A planning that was cut short, with what it takes to go on. */
export interface UnfinishedPlanning {
  readonly task: string;
  readonly request: string;
  readonly agent: string;
}

const PROMPT_BYTES_MAX = 1 << 24;
const OPENING = "<common_header>";

/** The plannings of a project that never came to their end. */
export function unfinishedPlannings(place: Place): readonly UnfinishedPlanning[] {
  return place.tasks().flatMap((task) => {
    const trace = findPlanningTrace(place, task);
    const isOwn = trace !== undefined && isOwnTrace(place, trace);
    const known = isOwn ? recallPlanning(place, trace) : undefined;
    return known?.subject === undefined || known.isEnded ? [] : [{ task, ...known.subject }];
  });
}

/** Whether a run was asked for a phase of a planning: it is the planning that goes on, and not the run. */
export function isOfPlanning({ prompt_path }: RunInfo): boolean {
  try {
    return readPlainFile(prompt_path, PROMPT_BYTES_MAX).toString().startsWith(OPENING);
  } catch {
    // Without its prompt it is no phase of anything.
    return false;
  }
}
