import type { MergedFinding } from "./merge-findings.ts";
import { hasEvidence, reliability } from "./reliability.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** What stands behind a finding. A quotation proves the place, not the reasoning. */
export type SupportKind = "analyser" | "second-reviewer" | "reproducer" | "quotation";

/** Who can vouch, worked out once for a team. */
export interface Vouchers {
  readonly analysers: ReadonlySet<string>;
  /** Reliable agents and their families. */
  readonly agents: ReadonlyMap<string, string>;
  /** Identities of findings that the runtime itself made happen. */
  readonly reproduced: ReadonlySet<string>;
}

/**
 * Leaves out agents that made something up: their agreement is worth nothing. An analyser does not
 * lie; where the source seems to refute one, we are wrong somewhere, and a gate must not open for it.
 */
export function vouchersOf(
  reviewers: readonly ReviewerFindings[],
  reproduced: ReadonlySet<string> = new Set(),
): Vouchers {
  const reliable = reviewers.filter((reviewer) => reliability(reviewer).reliable);
  return {
    analysers: new Set(reviewers.filter(({ kind }) => kind === "analyser").map(({ name }) => name)),
    agents: new Map(
      reliable.filter(({ kind }) => kind === "agent").map(({ name, family }) => [name, family]),
    ),
    reproduced,
  };
}

/** The strongest thing behind a finding: a run, a program, a second independent reviewer, or only itself. */
export function support(finding: MergedFinding, vouchers: Vouchers): SupportKind {
  if (vouchers.reproduced.has(finding.identity)) return "reproducer";
  const backed = finding.sayings.filter(({ checked }) => hasEvidence(checked));
  if (backed.some(({ by }) => vouchers.analysers.has(by))) return "analyser";
  const families = backed.map(({ by }) => vouchers.agents.get(by));
  const independent = new Set(families.filter((family) => family !== undefined));
  return independent.size >= 2 ? "second-reviewer" : "quotation";
}
