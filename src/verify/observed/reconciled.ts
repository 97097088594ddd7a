import type { Verdict } from "../../schema/finding.ts";

/** What came of holding one thing that was said against what was seen. */
export interface Reconciled {
  readonly verdict: Verdict;
  readonly reason: string;
}
