import type { CheckedFinding, Priority, Verdict } from "../../schema/finding.ts";
import type { ReviewerOutcome } from "../../schema/review.ts";
import { reliability } from "./reliability.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** What is known of a reviewer beside its findings. */
export interface ReviewerStanding {
  readonly role: string;
  readonly status: ReviewerOutcome["status"];
  readonly note?: string;
  /** Parts of its report that could not be read. */
  readonly unread: number;
}

/**
 * A reviewer's line in the report. All counts are made here. By priority only those findings count
 * that are raised: what a person dismissed is not to be looked for. All of them were checked.
 */
export function reviewerOutcome(
  reviewer: ReviewerFindings,
  standing: ReviewerStanding,
  isRaised: (finding: CheckedFinding) => boolean = () => true,
): ReviewerOutcome {
  const { name, findings, filesGiven } = reviewer;
  const { reliable, confidence, notes } = reliability(reviewer);
  const note = [...(standing.note === undefined ? [] : [standing.note]), ...notes].join("; ");
  const raised = findings.filter(isRaised);
  const p = (priority: Priority) => count(raised, (one) => one.finding.priority === priority);
  const v = (verdict: Verdict) => count(findings, (one) => one.verdict === verdict);
  return {
    name,
    role: standing.role,
    status: standing.status,
    ...(note === "" ? {} : { note: note.slice(0, 2_000) }),
    files: filesGiven,
    p1: p("P1"),
    p2: p("P2"),
    p3: p("P3"),
    confidence,
    confirmed: v("CONFIRMED"),
    inaccurate: v("INACCURATE"),
    hallucinated: v("HALLUCINATED"),
    unverified: v("UNVERIFIED"),
    unread: standing.unread,
    reliable,
  };
}

const count = (
  findings: readonly CheckedFinding[],
  matches: (finding: CheckedFinding) => boolean,
): number => findings.filter(matches).length;

/** The line below the table of reviewers: how far the whole can be relied on, and why. */
export function overallReliability(
  outcomes: readonly Pick<
    ReviewerOutcome,
    "reliable" | "confirmed" | "inaccurate" | "hallucinated"
  >[],
): string {
  const sum = (field: "confirmed" | "inaccurate" | "hallucinated") =>
    outcomes.reduce((total, outcome) => total + outcome[field], 0);
  const invented = sum("hallucinated");
  const checked = sum("confirmed") + sum("inaccurate") + invented;
  if (checked === 0) return "Unknown (no finding was checked)";
  const doubtful = outcomes.filter(({ reliable }) => !reliable).length;
  const grade = doubtful === 0 ? "High" : doubtful * 2 < outcomes.length ? "Medium" : "Low";
  return `${grade} (${invented} hallucinated of ${checked} checked findings, ${doubtful} of ${outcomes.length} reviewers unreliable)`;
}
