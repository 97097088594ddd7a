import type { CheckedFinding, Finding } from "../../schema/finding.ts";

/**
 * Numbers a built-in reviewer's findings without holes: those that are raised first, in their order,
 * then those that a person knows already. Nobody should look for a number that is not there.
 */
export function numberFindings(
  checked: readonly CheckedFinding[],
  prefix: string,
  isKnown: (finding: CheckedFinding) => boolean,
): { readonly checked: CheckedFinding[]; readonly said: Finding[] } {
  const raised = checked.filter((one) => !isKnown(one));
  const numbered = [...raised, ...checked.filter(isKnown)].map((one, index) => ({
    ...one,
    finding: { ...one.finding, id: `${prefix}-${String(index + 1).padStart(3, "0")}` },
  }));
  return { checked: numbered, said: numbered.map(({ finding }) => finding) };
}
