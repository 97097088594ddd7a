export { judgeDone } from "./definition-of-done.ts";
export { type DiffCoverage, diffCoverage, isCovered, isUnmeasured } from "./diff-coverage.ts";
export type { DoneFacts } from "./done-facts.ts";
export { floatingIn, isImmutableAddress } from "./immutable-address.ts";
export { familyOf, type Kin, sharedFamilies } from "./kinship.ts";
export { type CompletionRequest, type Moment, makeDocument } from "./make-document.ts";
export {
  type NextStep,
  nextStep,
  type ReviewSituation,
  STEP_WORDS,
} from "./next-step.ts";
export { RUBRIC } from "./rubric.ts";
