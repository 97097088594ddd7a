import type { Handover } from "../../schema/plan.ts";
import type { GateReport } from "./gate-report.ts";

/**
 * Phase 6: the record that stands on the board after every judgement. The lock is on either way: a
 * blocked plan keeps it until answers and a new judgement, a ready one until its work was handed out and
 * all of it is done. That nobody is outstanding says nothing before that.
 */
export function handoverOf({ ready, plan }: Pick<GateReport, "ready" | "plan">): Handover {
  const count = plan?.subtasks.length ?? 0;
  return {
    phase: ready ? "WITNESS_COMPLETE" : "WITNESS_BLOCKED",
    handoff_ready: ready,
    content_locked: true,
    polecat_count: count,
    deacon_required: count > 1,
    agents_outstanding: [],
    dispatch_time: null,
    unlock_condition:
      "work was handed out, and every subtask of the plan has its output and the sentinel that the runner wrote",
  };
}

/**
 * Whether the lock of a hand-over record may go: the plan was ready, its work was handed out, and every
 * one of its subtasks is done. An empty list of those that are outstanding is not enough.
 */
export function mayUnlock(
  { handoff_ready, dispatch_time, agents_outstanding }: Handover,
  expected: readonly string[],
  done: ReadonlySet<string>,
): boolean {
  const isDispatched = handoff_ready && dispatch_time !== null;
  const isDone = expected.length > 0 && expected.every((id) => done.has(id));
  return isDispatched && isDone && agents_outstanding.length === 0;
}
