import type { CheckedFinding, Priority } from "../../schema/finding.ts";
import { reliability } from "./reliability.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** What a second agent is to look at, and out of how many. */
export interface SpotCheckPlan {
  readonly reviewer: string;
  readonly findings: readonly CheckedFinding[];
  readonly of: number;
}

/**
 * The findings that are worth a second agent's look. Every quotation has been compared by then;
 * this is about the reasoning. What the source refuted needs no look. Which ones are chosen follows
 * from their identities, so that two runs choose the same.
 */
export function spotCheckPlan(
  reviewer: ReviewerFindings,
  { inlineFailed }: { readonly inlineFailed: boolean },
): SpotCheckPlan {
  const { band, reliable } = reliability(reviewer);
  const open = reviewer.findings.filter(({ verdict }) => verdict !== "HALLUCINATED");
  const isLow = band === "all-p1" || !reliable;
  const chosen = [
    ...withPriority(open, "P1").slice(0, isLow ? undefined : band === "spot-check" ? 2 : 1),
    ...everyNth(withPriority(open, "P2"), isLow || inlineFailed ? 1 : 3),
    ...(inlineFailed ? everyNth(withPriority(open, "P3"), 2) : []),
  ];
  return { reviewer: reviewer.name, findings: chosen, of: reviewer.findings.length };
}

function withPriority(findings: readonly CheckedFinding[], priority: Priority): CheckedFinding[] {
  return findings
    .filter(({ finding }) => finding.priority === priority)
    .toSorted((a, b) => (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0));
}

function everyNth<T>(items: readonly T[], step: number): T[] {
  return items.filter((_, index) => index % step === 0);
}
