import { messageOf, SwornError } from "../../base/index.ts";
import { ANY } from "../../schema/address.ts";
import { TraceId } from "../../schema/index.ts";
import { isWorkId, type Place } from "../place.ts";
import { traceOfWork } from "../work/work-scene.ts";
import { taskOfTrace } from "./signed-entries.ts";

/** The name of what is talked about in the whole project. */
export const PROJECT_TASK = "project";

/** The traces of a task, and those that nobody could look into. */
export interface TaskTraces {
  readonly traces: readonly string[];
  readonly unread: readonly { readonly trace: string; readonly why: string }[];
}

/**
 * The traces that a task's name stands for: its bus, and every session about it. A trace's own id, and
 * that of a work or a session, stands for that trace, and `any` for all there are. One that cannot be read is told, not skipped.
 */
export function tracesOfTask(place: Place, task: string): TaskTraces {
  const all = place.traces();
  if (task === ANY) return { traces: all, unread: [] };
  if (TraceId.safeParse(task).success) {
    if (all.includes(task)) return { traces: [task], unread: [] };
    throw new SwornError("NOT_FOUND", `there is no trace ${task} here; see "sworn trace ls"`);
  }
  const own = isWorkId(task) ? traceOfWork(task) : undefined;
  const traces: string[] = [];
  const unread: { trace: string; why: string }[] = [];
  for (const trace of all) {
    try {
      if (trace === own || taskOfTrace(place, trace) === task) traces.push(trace);
    } catch (error) {
      // Whether it is about this task cannot be known; whoever asked is told so.
      unread.push({ trace, why: messageOf(error) });
    }
  }
  return { traces, unread };
}
