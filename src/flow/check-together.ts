import type { CheckedFinding, Finding } from "../schema/finding.ts";

/** Findings whose files are read at the same time; each file can be as large as we read any. */
const TOGETHER = 16;

/** Checks findings in their order, several at once: git need not be asked for one file after the other. */
export async function checkTogether(
  findings: readonly Finding[],
  check: (finding: Finding) => Promise<CheckedFinding>,
): Promise<CheckedFinding[]> {
  const checked: CheckedFinding[] = [];
  for (let from = 0; from < findings.length; from += TOGETHER) {
    checked.push(...(await Promise.all(findings.slice(from, from + TOGETHER).map(check))));
  }
  return checked;
}
