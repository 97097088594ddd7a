import type { Plan, Verimap } from "../../schema/plan.ts";
import { COSTS, type CountedDeduction } from "./deductions.ts";
import { isGateQuestion } from "./gate-questions.ts";
import type { Deduction, GateQuestion, QuestionAnswer } from "./gate-report.ts";

type AnyPlan = Plan | Verimap;

/** A plan's own questions as the gate hands them on. */
export function planQuestions({ blocking_questions }: AnyPlan): GateQuestion[] {
  return blocking_questions.map(({ id, question, context, default_assumed, blocking }) => ({
    id,
    question,
    context,
    default: default_assumed,
    blocks: blocking,
    by: "plan",
  }));
}

/** Which questions are still open, and what the answers change about the points. */
export function settle(
  plan: AnyPlan,
  asked: readonly GateQuestion[],
  counted: readonly CountedDeduction[],
  answers: readonly QuestionAnswer[],
): { readonly open: GateQuestion[]; readonly deductions: Deduction[] } {
  const given = new Map(answers.map((answer) => [answer.id, answer]));
  const closed = asked.filter(({ id }) => given.has(id));
  const spoken = closed.filter(({ id }) => given.get(id)?.isDefault === false);
  const kept = counted.filter(({ ambiguity }) => !isAnswered(ambiguity, spoken));
  const taken = closed.filter(({ id }) => given.get(id)?.isDefault === true);
  return {
    open: asked.filter(({ id }) => !given.has(id)),
    deductions: [
      ...kept.map(({ reason, points }) => ({ reason, points })),
      ...taken.map((question) => costOfDefault(plan, question)),
    ],
  };
}

/** An open ambiguity is decided by the answer to the question that quotes it. */
function isAnswered(ambiguity: string | undefined, spoken: readonly GateQuestion[]): boolean {
  if (ambiguity === undefined) return false;
  return spoken.some(
    ({ question, context }) => question.includes(ambiguity) || context.includes(ambiguity),
  );
}

/**
 * A default that was taken because nobody answered is an assumption: a HIGH one where it is about who
 * owns a system or about what the gate itself asked, else a MEDIUM one.
 */
function costOfDefault(plan: AnyPlan, { id, blocks }: GateQuestion): Deduction {
  const isUnverified = plan.subtasks.some(
    (subtask) =>
      subtask.id === blocks && subtask.kingdom_collision_check.verification_status === "UNVERIFIED",
  );
  const isHigh = isUnverified || isGateQuestion(id);
  const risk = isHigh ? "HIGH" : "MEDIUM";
  return {
    reason: `${risk}-risk assumption: nobody answered ${id}, so its default holds`,
    points: isHigh ? COSTS.high : COSTS.medium,
  };
}
