import type { Teammate } from "../../schema/contract.ts";
import type { Delivery } from "./check-deliverable.ts";
import { sealProblems } from "./seal-problems.ts";
import { sectionProblems } from "./sections.ts";

/** What one agent's file was asked, and the answers; absent where nobody was let through to ask. */
export interface InlineResult {
  readonly name: string;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** The answers for one file: each section it owes, a quotation for every finding, its Seal. */
export function inlineChecks(
  teammate: Teammate,
  delivery: Delivery,
  nonce: string | undefined,
): InlineResult {
  const report = delivery.kind === "file" ? delivery.report : undefined;
  const checks = new Map<string, boolean>();
  // A section may be called as one of the other checks; then both have to hold.
  const add = (name: string, holds: boolean) =>
    checks.set(name, holds && (checks.get(name) ?? true));
  for (const title of teammate.required_sections) {
    add(title, report !== undefined && sectionProblems([title], report.sections).length === 0);
  }
  const bare = report?.findings.filter(({ citations }) => citations[0]?.quote === undefined);
  add("Rune Traces", bare !== undefined && bare.length === 0);
  add("Seal", report !== undefined && sealProblems(report, nonce).length === 0);
  return { name: teammate.name, checks: Object.fromEntries(checks) };
}

/** The text of `inline-validation.json`. The keys are the format's. */
export function inlineValidationDocument(
  timestamp: string,
  results: readonly InlineResult[],
): string {
  const document = {
    timestamp,
    results: Object.fromEntries(results.map(({ name, checks }) => [name, { checks }])),
    ["tarnished_checked"]: results.length,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
