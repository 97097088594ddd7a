import { SwornError } from "../../../base/index.ts";
import { type GateQuestion, type GateReport, handoverOf } from "../../../plan/gate/index.ts";
import { type PlanQuestion, questionId } from "../../../plan/planner/index.ts";
import { PLAN_DIGEST, type Refusal } from "../../../view/index.ts";
import { type Bus, isRefused, RUNTIME } from "../../talk/bus.ts";
import { post } from "../../talk/post.ts";
import { CRITIQUE_GAPS } from "../plan-facts.ts";
import { askOnce, checkTaskPlan, deadlineOf, NO_PLAN, recordHandover } from "../task-plan.ts";
import type { Made } from "./make-plan.ts";
import type { Ended } from "./planning-scene.ts";

/** What a plan file holds. */
export function planText(plan: unknown): string {
  return `${JSON.stringify(plan, undefined, 2)}\n`;
}

/**
 * Phase 6: puts the outcome onto the task's board, whatever it is: the plan with what its critique
 * found, its questions, and the hand-over record, which keeps the board locked.
 *
 * @returns what the gate says with all that the board knows; undefined where there is no plan.
 */
export async function handOver(on: Bus, ended: Made | Ended): Promise<GateReport | undefined> {
  if (ended.kind !== "made") return handOverNothing(on, ended);
  const meta = { [CRITIQUE_GAPS]: String(ended.gaps) };
  const text = `The critique of the plan that follows found ${ended.gaps} gaps.`;
  said(await post(on, RUNTIME, { kind: "INFO", text, meta }));
  return said(await checkTaskPlan(on, Buffer.from(planText(ended.plan)))).report;
}

async function handOverNothing(on: Bus, ended: Ended): Promise<undefined> {
  const questions = ended.kind === "blocked" ? ended.questions.map(toGateQuestion) : [];
  for (const question of questions) {
    const refusal = await askOnce(on, question, deadlineOf(on));
    if (refusal) said(refusal);
  }
  const why =
    ended.kind === "blocked" ? "questions come first" : `${ended.step} gave nothing usable`;
  const text = `There is no plan: ${why}.`;
  said(await post(on, RUNTIME, { kind: "INFO", text, meta: { [PLAN_DIGEST]: NO_PLAN } }));
  said(await recordHandover(on, NO_PLAN, handoverOf({ ready: false })));
}

/** A question that there is no plan for yet: it holds up all of it. */
export function toGateQuestion(
  { question, context, default_assumed }: PlanQuestion,
  at: number,
): GateQuestion {
  const id = questionId(at);
  return { id, question, context, default: default_assumed, blocks: null, by: "plan" };
}

/** @throws SwornError `LEDGER_BUSY` when the board does not take it: the task's talk has ended. */
function said<T extends object>(answer: T | Refusal): T {
  if (!isRefused(answer)) return answer;
  throw new SwornError("LEDGER_BUSY", `the task's board does not take the plan: ${answer.reason}`);
}
