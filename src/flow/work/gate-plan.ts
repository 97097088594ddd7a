import { type GateReport, heldSubtasks, READY_POINTS_MIN } from "../../plan/index.ts";
import type { Profile } from "../../schema/index.ts";
import type { GatedPlan } from "./work.ts";

/** What follows from the gate's report for a plan that is to be worked on. */
export type GateWord =
  | { readonly kind: "invalid"; readonly report: GateReport }
  /** Nothing of it may begin before its questions are answered. */
  | { readonly kind: "blocked"; readonly report: GateReport }
  | { readonly kind: "open"; readonly report: GateReport; readonly gated: GatedPlan };

/** Says what of a plan may begin: blocked is what a question names, not everything. */
export function gateWord(report: GateReport, profile: Profile): GateWord {
  const { plan, violations, questions } = report;
  if (plan === undefined || violations.length > 0) return { kind: "invalid", report };
  const held = heldSubtasks(plan, questions, profile);
  // Too few points stop everything, whichever subtask the open questions name.
  const isShort = report.points < READY_POINTS_MIN;
  if (isShort || held.size === plan.subtasks.length) return { kind: "blocked", report };
  const rest = { ...report, plan: undefined };
  return { kind: "open", report, gated: { plan, report: rest, questions, held } };
}
