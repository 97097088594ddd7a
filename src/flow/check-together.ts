import type { CheckedFinding, Finding } from "../schema/finding.ts";

/** Findings whose files are read at the same time; each file can be as large as we read any. */
const TOGETHER = 64;

/** Checks findings, many at once, because git need not be asked for one file after the other. */
export async function checkTogether(
  findings: readonly Finding[],
  check: (finding: Finding) => Promise<CheckedFinding>,
): Promise<CheckedFinding[]> {
  const checked: CheckedFinding[] = [];
  const queue = findings.entries();
  const workOff = async () => {
    for (const [at, finding] of queue) checked[at] = await check(finding);
  };
  await Promise.all(Array.from({ length: Math.min(TOGETHER, findings.length) }, workOff));
  return checked;
}
