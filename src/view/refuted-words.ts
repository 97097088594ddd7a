import type { WorkReport } from "../schema/work.ts";

/** How a note begins that tells what a worker said, and what was seen instead. */
export const WORKER_SAID = "its worker said ";

/** What workers said of the tries that count, and was seen to be otherwise: their work may be proven all the same. */
export function refutedWords({ subtasks }: Pick<WorkReport, "subtasks">): string[] {
  return subtasks.flatMap(({ id, tries }) => {
    const notes = tries.findLast(({ status }) => status === "proven")?.notes ?? [];
    return notes.filter((one) => one.startsWith(WORKER_SAID)).map((one) => `${id}: ${one}`);
  });
}
