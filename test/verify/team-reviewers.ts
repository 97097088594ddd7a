import { sha256Hex } from "../../src/base/index.ts";
import type { SelfReviewRow } from "../../src/schema/contract.ts";
import type { CheckedFinding, Finding, Verdict } from "../../src/schema/finding.ts";
import type { ReviewerFindings } from "../../src/verify/team/index.ts";

/** A checked finding; two with one identity are the same thing. */
export function checked(
  identity: string,
  finding: Partial<Finding> = {},
  verdict: Verdict = "CONFIRMED",
): CheckedFinding {
  return {
    finding: {
      id: "BACK-001",
      title: "Something is wrong",
      priority: "P2",
      citations: [{ file: "src/a.ts", line: 10, quote: "x = 1" }],
      ...finding,
    },
    verdict,
    reason: "",
    identity: sha256Hex(identity),
  };
}

export const reviewer = (
  name: string,
  findings: readonly CheckedFinding[],
  extra: Partial<ReviewerFindings> = {},
): ReviewerFindings => ({
  name,
  kind: "agent",
  family: name,
  findings,
  filesGiven: 10,
  filesRead: 10,
  log: [{ finding: "BACK-001", action: "confirmed", notes: "" }],
  selfReviewed: true,
  ...extra,
});

export const rows = (action: SelfReviewRow["action"], count: number): SelfReviewRow[] =>
  Array.from({ length: count }, (_, index) => ({ finding: `BACK-${index}`, action, notes: "" }));

export const many = (
  count: number,
  finding: Partial<Finding> = {},
  verdict: Verdict = "CONFIRMED",
): CheckedFinding[] =>
  Array.from({ length: count }, (_, index) =>
    checked(`${finding.priority} ${verdict} ${index}`, finding, verdict),
  );
