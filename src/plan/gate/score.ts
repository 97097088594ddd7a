import type { Plan, Verimap } from "../../schema/plan.ts";
import { pointsOf } from "./deductions.ts";
import type { Deduction, Violation } from "./gate-report.ts";

/** From here on a plan may be handed over. */
export const READY_POINTS_MIN = 90;
const SHOWN_MAX = 40;

type AnyPlan = Plan | Verimap;

/** A fraction in whole points; undefined where it has digits beyond the second. */
export function toPoints(fraction: number): number | undefined {
  const points = Math.round(fraction * 100);
  // A double next to the fraction is that fraction; anything farther away is another number.
  return Math.abs(fraction * 100 - points) < 1e-6 ? points : undefined;
}

/** The plan's own arithmetic, held against what the gate counted from the same file. */
export function checkScore(plan: AnyPlan, counted: readonly Deduction[]): Violation[] {
  return [...checkList(plan, counted), ...checkSum(plan), ...checkReady(plan, counted)];
}

/**
 * The two lists are equal when they hold the same amounts equally often: each class of deductions has
 * an amount of its own but for two, and words for a reason differ from planner to planner.
 */
function checkList(plan: AnyPlan, counted: readonly Deduction[]): Violation[] {
  const own = plan.confidence_deductions.map(({ amount }) => toPoints(-amount));
  const violations: Violation[] = plan.confidence_deductions.flatMap(({ amount }, at) => {
    const path = `confidence_deductions[${at}].amount`;
    const message = `expected whole hundredths below 0, such as -0.05, found ${amount}`;
    const isFine = (own[at] ?? 0) > 0;
    return isFine ? [] : [{ rule: "invariant-deductions", path, message }];
  });
  const tally = (all: readonly (number | undefined)[]): string =>
    all.toSorted((a, b) => (a ?? 0) - (b ?? 0)).join(" ");
  if (tally(own) === tally(counted.map(({ points }) => points))) return violations;
  const said = plan.confidence_deductions.map(({ reason, amount }) => `${amount} ${reason}`);
  const found = counted.map(({ reason, points }) => `${-points / 100} ${reason}`);
  const message = `the plan deducts [${listed(said)}], the gate counts [${listed(found)}]: one entry for each, none added`;
  return [...violations, { rule: "invariant-deductions", path: "confidence_deductions", message }];
}

function checkSum({ confidence_deductions, confidence_score }: AnyPlan): Violation[] {
  const amounts = confidence_deductions.map(({ reason, amount }) => ({
    reason,
    points: toPoints(-amount) ?? 0,
  }));
  const expected = pointsOf(amounts);
  if (toPoints(confidence_score) === expected) return [];
  const message = `1 plus the amounts is ${expected / 100}, found ${confidence_score}: compute it again`;
  return [{ rule: "invariant-sum", path: "confidence_score", message }];
}

function checkReady(plan: AnyPlan, counted: readonly Deduction[]): Violation[] {
  const points = pointsOf(counted);
  const asked = plan.blocking_questions.length;
  const path = "handoff_ready";
  if (plan.handoff_ready) {
    const violations: Violation[] = [];
    if (asked > 0) {
      const message = `${asked} blocking questions are open: set it to false`;
      violations.push({ rule: "invariant-questions", path, message });
    }
    if (points < READY_POINTS_MIN) {
      const message = `the plan has ${points} of 100 points, and needs ${READY_POINTS_MIN}: set it to false`;
      violations.push({ rule: "invariant-score", path, message });
    }
    return violations;
  }
  if (plan.witness_debrief.trim() === "") {
    const message = "it is empty: say why the plan is not ready, and what could start at once";
    return [{ rule: "invariant-debrief", path: "witness_debrief", message }];
  }
  if (asked > 0 || points < READY_POINTS_MIN) return [];
  const message = `nothing is open and the plan has ${points} points: set it to true, or ask what is still to be known`;
  return [{ rule: "invariant-ready", path, message }];
}

function listed(all: readonly string[]): string {
  const more = all.length - SHOWN_MAX;
  return [...all.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
