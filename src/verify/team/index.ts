export { withoutCopies } from "./copies.ts";
export { type Merged, type MergedFinding, mergeFindings, type Saying } from "./merge-findings.ts";
export { type Band, confidencePoints, type Reliability, reliability } from "./reliability.ts";
export type { ReviewerFindings } from "./reviewer-findings.ts";
export { type SelfReview, selfReviewHealth } from "./self-review-health.ts";
export { type SpotCheckPlan, spotCheckPlan } from "./spot-check-plan.ts";
export { type SupportKind, support, type Vouchers, vouchersOf } from "./support.ts";
export { summaryFindings, teamNotes } from "./team-notes.ts";
export {
  overallReliability,
  type ReviewerStanding,
  reviewerOutcome,
} from "./verification-status.ts";
