import type { Priority } from "../schema/finding.ts";
import type { ReportedFinding, ReviewerOutcome, ReviewReport } from "../schema/review.ts";

/** What share of the checked findings must be confirmed before the whole may be called high, in points. */
const HIGH_POINTS_MIN = 90;
/** Below this share the whole is called low. */
const LOW_POINTS_BELOW = 50;

/** The rule behind `overallReliability`, in words, so that a reader can redo it. */
export const RELIABILITY_RULE =
  "low: a reviewer made something up, or less than 50 % of the checked findings are confirmed; " +
  "unknown: nothing was checked; " +
  "high: every reviewer is complete, every finding was checked, nothing stayed unread and at least 90 % are confirmed; " +
  "medium: all else";

export type Reliability = "high" | "medium" | "low" | "unknown";

/** How many of one reviewer's findings were held against the source, and how many there are. */
export function checkedOf(reviewer: ReviewerOutcome): { checked: number; all: number } {
  const checked = reviewer.confirmed + reviewer.inaccurate + reviewer.hallucinated;
  return { checked, all: checked + reviewer.unverified };
}

/** Judges all reviewers together, by `RELIABILITY_RULE`. What was not checked never counts as good. */
export function overallReliability(reviewers: readonly ReviewerOutcome[]): Reliability {
  if (reviewers.some((each) => !each.reliable || each.hallucinated > 0)) return "low";
  const sum = (of: (reviewer: ReviewerOutcome) => number): number =>
    reviewers.reduce((total, reviewer) => total + of(reviewer), 0);
  const checked = sum((each) => checkedOf(each).checked);
  if (checked === 0) return "unknown";
  const points = (sum((each) => each.confirmed) * 100) / checked;
  if (points < LOW_POINTS_BELOW) return "low";
  const isWhole =
    reviewers.every((each) => each.status === "complete") &&
    sum((each) => each.unverified + each.unread) === 0;
  return isWhole && points >= HIGH_POINTS_MIN ? "high" : "medium";
}

/** The findings of one priority, in the order of the report. */
export function ofPriority(report: ReviewReport, priority: Priority): ReportedFinding[] {
  return report.findings.filter(({ finding }) => finding.priority === priority);
}

/** What each priority is called wherever a person reads it. */
export const PRIORITY_NAMES = { P1: "Critical", P2: "High", P3: "Medium" } as const;

/** What stands behind a finding, in words; a quotation alone says so. */
export const SUPPORT_WORDS = {
  analyser: "a deterministic analyser",
  "second-reviewer": "a second, independent reviewer",
  reproducer: "a reproducer that was run",
  quotation: "the quotation alone: it proves the place, not the reasoning, and cannot block",
} as const;

/** How a run ended, in words. */
export const STATUS_WORDS = {
  completed: "completed",
  completed_with_gaps: "completed with gaps",
  failed: "failed",
  cancelled: "cancelled",
} as const;

/** Covered files in words, with points rounded down: 100 only when nothing is left out. */
export function coverageWords({ files, covered }: ReviewReport["coverage"]): string {
  if (files === 0) return "no files";
  return `${covered} of ${files === 1 ? "1 file" : `${files} files`} (${Math.min(100, Math.floor((covered * 100) / files))} %)`;
}
