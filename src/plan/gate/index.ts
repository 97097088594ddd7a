export { type Cut, cutToBudget, tokensOf } from "./budget.ts";
export { checkPlan } from "./check-plan.ts";
export { touchedBy } from "./collision.ts";
export type {
  Deduction,
  DesignBrief,
  DesignFacts,
  GateFacts,
  GateQuestion,
  GateReport,
  QuestionAnswer,
  Violation,
} from "./gate-report.ts";
export { handoverOf, mayUnlock } from "./handover.ts";
export { type GateProfile, heldSubtasks, mayStart, type OpenQuestion } from "./may-start.ts";
export { RULES, type RuleName } from "./rules.ts";
export { READY_POINTS_MIN } from "./score.ts";
