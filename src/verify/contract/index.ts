export { type Authority, type Ended, hasEnded, type Signs } from "./authority.ts";
export { checkDeliverable, type Deliverable, type Delivery } from "./check-deliverable.ts";
export {
  checkTeam,
  type GapRow,
  outcomeOf,
  type TeamCheck,
  type TeamDelivery,
  type TeamOutcome,
} from "./check-team.ts";
export {
  type BreakerAnswer,
  BreakerMemory,
  CircuitBreaker,
  circuitsOf,
  openCircuitGap,
} from "./circuit-breaker.ts";
export {
  type CompletedPart,
  type Completion,
  type CompletionStep,
  completionDocument,
  completionSteps,
} from "./completion.ts";
export type {
  Counts,
  DeliveredFinding,
  DeliveredReport,
  DeliveredSeal,
} from "./delivered-report.ts";
export { type InlineResult, inlineChecks, inlineValidationDocument } from "./inline-validation.ts";
export { type AskedQuestion, askedQuestions } from "./questions.ts";
export { type ContractProblem, type ContractReading, readContract } from "./read-contract.ts";
export { sealProblems } from "./seal-problems.ts";
export {
  NOT_LOOKED,
  ONE_LOOK,
  type WaitAnswer,
  type Waiting,
  waitForFiles,
} from "./wait-for-files.ts";
export {
  endWorkflow,
  type FinalStatus,
  type StateChange,
  startWorkflow,
} from "./workflow-state.ts";
