/** The reference that what a run left ends on. */
export function runRef(runId: string): string {
  return `refs/sworn/runs/${runId}`;
}
