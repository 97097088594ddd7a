import type { SelfReviewRow } from "../../schema/contract.ts";
import type { CheckedFinding } from "../../schema/finding.ts";

/** What one reviewer said, after its quotations were compared with the source. */
export interface ReviewerFindings {
  readonly name: string;
  /** An analyser is a program that says the same about the same code every time. */
  readonly kind: "analyser" | "agent";
  /**
   * What it has in common with others that may make it repeat their mistakes: the family of its
   * model. Reviewers of one family are not independent of each other.
   */
  readonly family: string;
  readonly findings: readonly CheckedFinding[];
  /** How many files it was given. */
  readonly filesGiven: number;
  /** How many of those the runtime saw it open; null where nobody watched. */
  readonly filesRead: number | null;
  /** The log of its second look. */
  readonly log: readonly SelfReviewRow[];
  /** Whether it says that it took a second look; the log shows it. */
  readonly selfReviewed: boolean;
  /** Its own estimate in points; it can only lower ours. */
  readonly ownConfidence?: number;
}
