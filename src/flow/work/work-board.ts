import { mayUnlock } from "../../plan/index.ts";
import type { Handover } from "../../schema/plan.ts";
import type { Place } from "../place.ts";
import { recordHandover, type TaskPlan } from "../plan/task-plan.ts";
import { Bus } from "../talk/bus.ts";
import type { GatedPlan, WorkOutcome } from "./work.ts";
import { isDone } from "./work-graph.ts";

/** What the board says of the plan that is worked on. */
export type JudgedOnBoard = Pick<TaskPlan, "digest" | "handover">;

/** The board of the task says that work was handed out, and to whom it has to come back. */
export async function tellDispatch(
  place: Place,
  task: string | undefined,
  board: JudgedOnBoard | undefined,
  { plan, held }: GatedPlan,
): Promise<void> {
  const agents_outstanding = plan.subtasks.map(({ id }) => id).filter((id) => !held.has(id));
  const dispatch_time = new Date(place.clock()).toISOString();
  await tell(place, task, board, { agents_outstanding, dispatch_time });
}

/** And what came back. The lock goes when everything that the plan asks for is done, and not before. */
export async function tellOutcome(
  place: Place,
  task: string | undefined,
  board: JudgedOnBoard | undefined,
  { report: { subtasks, status } }: WorkOutcome,
): Promise<void> {
  if (board === undefined) return;
  const done = new Set(subtasks.filter((one) => isDone(one.status)).map(({ id }) => id));
  const ids = subtasks.map(({ id }) => id);
  const told = {
    agents_outstanding: ids.filter((id) => !done.has(id)),
    dispatch_time: new Date(place.clock()).toISOString(),
  };
  const isEnded = status === "completed" || status === "completed-with-gaps";
  const isFree = isEnded && mayUnlock({ ...board.handover, ...told }, ids, done);
  await tell(place, task, board, { ...told, content_locked: !isFree });
}

async function tell(
  place: Place,
  task: string | undefined,
  board: JudgedOnBoard | undefined,
  told: Partial<Handover>,
): Promise<void> {
  if (task === undefined || board === undefined) return;
  const on = Bus.open({ place, task });
  try {
    await recordHandover(on, board.digest, { ...board.handover, ...told });
  } finally {
    on.close();
  }
}
