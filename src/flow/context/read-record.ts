import { projectName } from "../address/project-name.ts";
import { PROJECT_TASK, tracesOfTask } from "../address/task-traces.ts";
import type { ContextSource } from "./context.ts";
import { type Statement, statementsInSession, statementsOnBus } from "./recorded-statements.ts";

/** The sessions of plans that are carried out; they are looked at where no task is named. */
const WORK_TASK = "work";
/** What was read from the record before any part of it is chosen. */
export interface RecordRead {
  readonly project: string;
  /** All traces of the task and the project's own talk. */
  readonly traces: readonly string[];
  /** The sessions of the task, without its bus. */
  readonly sessions: readonly string[];
  readonly statements: readonly Statement[];
  readonly notes: readonly string[];
}

/** Reads what a task's bus, the project's and the task's sessions state. */
export function readRecord(
  source: Pick<ContextSource, "place" | "task" | "taskBus" | "projectBus">,
): RecordRead {
  const { place, task, taskBus, projectBus } = source;
  const project = projectName(place);
  const own = tracesOfTask(place, task ?? WORK_TASK);
  const buses = [projectBus, taskBus].filter((bus) => bus !== undefined);
  const talk = buses.map(({ trace }) => trace);
  const sessions = own.traces.filter((trace) => !talk.includes(trace));
  const statements = [
    ...buses.flatMap((bus) => statementsOnBus(bus, { project, task: bus.task ?? PROJECT_TASK })),
    ...sessions.flatMap((trace) => statementsInSession(place, trace, { project, task: trace })),
  ];
  const notes = own.unread.map(({ trace, why }) => `Not read: ${trace}: ${why}`);
  return { project, traces: [...talk, ...sessions], sessions, statements, notes };
}
