import { type Refusal, refuse } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { Bus } from "../talk/bus.ts";
import { readBoard } from "../talk/task-board.ts";
import { readWork } from "./read-state.ts";
import { traceOfWork } from "./work-scene.ts";

const OF_WORK = /^work-([0-9a-z]{26})-st-\d{2,4}$/;

/**
 * Why the content of a task may not be written yet: its plan waits for answers, or its work was not done.
 * Runs of a work stand under the lock of the task that the work is for.
 *
 * @throws SwornError when the record of the task or of the work cannot be relied on.
 */
export async function whyContentLocked(place: Place, task: string): Promise<Refusal | undefined> {
  const locked = await lockingTask(place, task);
  if (locked === undefined) return undefined;
  const on = Bus.find({ place, task: locked });
  if (on === undefined) return undefined;
  try {
    const { content_locked, handover } = readBoard(on);
    if (!content_locked) return undefined;
    const why = handover?.handoff_ready
      ? "its plan is ready, and its work is not done"
      : "its plan waits for answers";
    return refuse(
      "ORDER_GUARD",
      `the content of task ${locked} is locked: ${why}; "sworn board --task ${locked}" shows what is open, and "sworn work" unlocks it when everything is done`,
    );
  } finally {
    on.close();
  }
}

async function lockingTask(place: Place, task: string): Promise<string | undefined> {
  const work = OF_WORK.exec(task)?.[1];
  if (work === undefined) return task;
  const trace = traceOfWork(work);
  if (!place.traces().includes(trace)) return undefined;
  return (await readWork(place, trace)).state.task;
}
