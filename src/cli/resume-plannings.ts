import { messageOf, SwornError } from "../base/index.ts";
import { AgentRunner } from "../flow/agent/agent-runner.ts";
import type { Place } from "../flow/place.ts";
import { keepPlan } from "../flow/plan/planner/keep-plan.ts";
import { planTask } from "../flow/plan/planner/plan-task.ts";
import { unfinishedPlannings } from "../flow/plan/planner/unfinished-plannings.ts";
import { plannedBySessions } from "../flow/session/resume-session.ts";
import { agentProgress } from "./agent-words.ts";
import { openPlace } from "./config.ts";
import type { Answer, CommandIo } from "./io.ts";
import { missingJudge } from "./missing-judge.ts";
import { planningAnswer } from "./planning-words.ts";

/** Goes on with plannings that were cut short; those of sessions, and of other processes, are their own. */
export async function goOnWithPlannings(
  place: Place,
  io: CommandIo,
  stuck: string[],
): Promise<Answer[]> {
  const led = plannedBySessions(place);
  const unfinished = unfinishedPlannings(place).filter(({ task }) => !led.has(task));
  if (unfinished.length === 0) return [];
  const runner = await openPlannerRunner(io);
  const done: Answer[] = [];
  try {
    for (const one of unfinished) {
      const { onEvent, onStep, end } = agentProgress(io, one.agent);
      try {
        const asked = { ...one, signal: io.signal, onEvent, onStep };
        const outcome = await planTask(asked, runner).finally(end);
        const path = outcome.plan && keepPlan(outcome.plan, outcome, place, undefined);
        done.push(
          planningAnswer(outcome, path, missingJudge(outcome.report, runner.scene.repository.root)),
        );
      } catch (error) {
        if (error instanceof SwornError && error.code === "LEDGER_BUSY") continue;
        stuck.push(`the planning of ${one.task} cannot go on: ${messageOf(error)}`);
      }
    }
    return done;
  } finally {
    await runner.close();
  }
}

/** A runner whose agents cannot speak: whoever answers blind could otherwise ask for the plan. */
export function openPlannerRunner(io: CommandIo): Promise<AgentRunner> {
  const { env, home, cwd } = io;
  const placeFor = (root: string) => openPlace({ ...io, cwd: root }, "here");
  return AgentRunner.open({ folder: cwd, env, home, placeFor });
}
