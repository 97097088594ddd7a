import { SwornError } from "../../base/index.ts";
import { type GateReport, handoverOf } from "../../plan/index.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import type { Place } from "../place.ts";
import { judgePlan } from "../plan/judge-plan.ts";
import { judgeOnBoard } from "../plan/task-plan.ts";
import { Bus } from "../talk/bus.ts";
import { gateWord } from "./gate-plan.ts";
import { openWork, type WorkOptions } from "./open-work.ts";
import {
  type GatedPlan,
  openWorkState,
  resumeWork,
  startWork,
  type WorkBegin,
  type WorkOutcome,
} from "./work.ts";
import { type JudgedOnBoard, tellDispatch, tellOutcome } from "./work-board.ts";
import type { WorkState } from "./work-state.ts";

/** Has a plan that the gate let through worked on by agents, from a commit on. */
export async function doWork(
  runner: AgentRunner,
  gated: GatedPlan,
  options: WorkOptions & WorkBegin & { readonly board?: JudgedOnBoard | undefined },
): Promise<WorkOutcome> {
  const opened = await openWork(runner, options);
  const { place } = runner.scene;
  const { task, board } = options;
  try {
    if (!opened.hasJudge) assertUnjudged(gated, options);
    await tellDispatch(place, task, board, gated);
    const outcome = await startWork(opened.setup, gated, options);
    await tellOutcome(place, task, board, outcome);
    return outcome;
  } finally {
    await opened.close();
  }
}

/**
 * Before any worker is paid for: without a judge, its subtask could never be proven.
 *
 * @throws SwornError `INPUT_INVALID`.
 */
function assertUnjudged({ plan }: GatedPlan, { letThrough = [] }: WorkBegin): void {
  const waived = new Set(letThrough.map(({ subtask }) => subtask));
  const open = plan.subtasks.find(
    ({ id, proofs }) => !waived.has(id) && proofs.some(({ kind }) => kind === "judge"),
  );
  if (open === undefined) return;
  throw new SwornError(
    "INPUT_INVALID",
    `${open.id} has a check that only a judge can make, and none is configured; name an agent as roles.judge in sworn.yaml, put another proof in its place, or waive it: --waive '${open.id}=why'`,
  );
}

/**
 * Goes on with a work, with the same worker and in the same profile. The gate looks at its plan once
 * more: a question that was answered meanwhile blocks nothing.
 */
export async function goOnWithWork(
  runner: AgentRunner,
  id: string,
  options: Pick<WorkOptions, "signal" | "onEvent" | "feedback" | "earlier" | "isPlanFixed"> &
    Pick<WorkBegin, "letThrough">,
): Promise<WorkOutcome> {
  const { place } = runner.scene;
  const { state, profile } = await openWorkState(place, id);
  const { report, board } = judgeAgain(place, state);
  const word = gateWord(report, profile);
  const all = new Set(state.plan.subtasks.map((one) => one.id));
  const held = word.kind === "open" ? word.gated.held : all;
  const opened = await openWork(runner, { ...options, agent: state.worker, profile });
  try {
    const { questions } = report;
    const outcome = await resumeWork(opened.setup, id, { questions, held }, options.letThrough);
    await tellOutcome(place, state.task, board, outcome);
    return outcome;
  } finally {
    await opened.close();
  }
}

/** The frozen plan as the gate sees it now, with what was answered on its task's board. */
function judgeAgain(
  place: Place,
  { frozen, task }: WorkState,
): { readonly report: GateReport; readonly board?: JudgedOnBoard } {
  const bytes = Buffer.from(frozen.text);
  if (task === undefined) return { report: judgePlan(bytes) };
  const on = Bus.open({ place, task });
  try {
    const report = judgeOnBoard(on, bytes);
    const { plan } = on.talk();
    if (plan === undefined) return { report };
    return { report, board: { digest: plan.digest, handover: handoverOf(report) } };
  } finally {
    on.close();
  }
}

/** Whether runs are filed under a subtask of a work: whoever goes on with that goes on with them. */
export function isOfWork(task: string): boolean {
  return /^work-[0-9a-z]{26}-st-\d{2,4}$/.test(task);
}
