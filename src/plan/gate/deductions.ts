import type { Plan, Verimap } from "../../schema/plan.ts";
import { isOpen } from "./ambiguities.ts";
import type { Deduction } from "./gate-report.ts";
import type { ReadSubtask } from "./read-subtask.ts";

type AnyPlan = Plan | Verimap;

/** What each thing costs. Only two of them cost the same, so amounts tell what was meant. */
export const COSTS = {
  specify: 20,
  high: 15,
  assertion: 10,
  hedge: 10,
  gap: 8,
  medium: 5,
  unverified: 3,
} as const;

/** A deduction that can be taken back by an answer, and what it hangs on. */
export interface CountedDeduction extends Deduction {
  /** The open ambiguity that it is for, in the plan's words. */
  readonly ambiguity?: string;
}

/** Everything that a plan costs itself, counted from what stands in it; the order is the plan's. */
export function countDeductions(
  plan: AnyPlan,
  subtasks: readonly ReadSubtask[],
  gaps: number,
): CountedDeduction[] {
  return [
    ...plan.ambiguities_resolved.flatMap(costOfAmbiguity),
    ...subtasks.flatMap(costOfSubtask),
    ...Array.from({ length: gaps }, (_, at) => ({
      reason: `critique gap ${at + 1} of ${gaps}`,
      points: COSTS.gap,
    })),
  ];
}

function costOfAmbiguity(
  one: AnyPlan["ambiguities_resolved"][number],
  at: number,
): CountedDeduction[] {
  const where = `ambiguities_resolved[${at}]`;
  if (isOpen(one) && one.ambiguity_type === "SPECIFY") {
    const reason = `unresolved SPECIFY ambiguity: ${where}`;
    return [{ reason, points: COSTS.specify, ambiguity: one.ambiguity }];
  }
  const bound = isOpen(one) ? { ambiguity: one.ambiguity } : {};
  if (one.assumption_risk === "HIGH") {
    return [{ reason: `HIGH-risk assumption: ${where}`, points: COSTS.high, ...bound }];
  }
  if (one.assumption_risk === "MEDIUM") {
    return [{ reason: `MEDIUM-risk assumption: ${where}`, points: COSTS.medium, ...bound }];
  }
  return [];
}

function costOfSubtask(read: ReadSubtask): CountedDeduction[] {
  const { id, type, kingdom_collision_check: collision } = read.subtask;
  const costs: CountedDeduction[] = [];
  if (type !== "DOCS" && read.assertions.length === 0) {
    const reason = `${type} subtask without a Python assertion: ${id}`;
    costs.push({ reason, points: COSTS.assertion });
  }
  for (const { path, hedges } of [...read.worded, ...read.judged]) {
    if (hedges.length > 0) costs.push({ reason: `hedged check: ${path}`, points: COSTS.hedge });
  }
  if (collision.verification_status === "UNVERIFIED") {
    const reason = `UNVERIFIED collision check: ${read.path} (${id})`;
    costs.push({ reason, points: COSTS.unverified });
  }
  return costs;
}

/** 100 less all of them, and never below nothing. */
export function pointsOf(deductions: readonly Deduction[]): number {
  return Math.max(0, 100 - deductions.reduce((sum, { points }) => sum + points, 0));
}
