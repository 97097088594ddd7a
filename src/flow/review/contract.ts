import { assert, canonicalize } from "../../base/index.ts";
import { makeContract } from "../../plan/index.ts";
import { CHANGE_MEMBERS, FILE_MEMBERS, treeReviewers } from "../../scan/index.ts";
import type { RecordedReviewer } from "./record.ts";
import type { ReportPart } from "./report-part.ts";

/** What the team owes, frozen before anybody begins. */
export interface FrozenContract {
  readonly text: string;
  readonly reviewers: readonly RecordedReviewer[];
}

/** Writes down who takes part and what each will hand in. */
export function contractFor(
  kind: "review" | "audit",
  reports: readonly ReportPart[],
  run: { readonly trace: string; readonly nonce: string; readonly nowMs: number },
): FrozenContract {
  const builtIn = [...FILE_MEMBERS, ...treeReviewers(new Set()), ...CHANGE_MEMBERS];
  const reviewers = [
    ...builtIn.map(({ name, role }) => ({ name, role })),
    ...reports.map(({ name }) => ({ name, role: "A report that somebody else's agent wrote" })),
  ];
  const made = makeContract({
    workflow: kind,
    outputDir: `.sworn/reviews/${run.trace}`,
    agents: reviewers.map(({ name, role }) => ({ name: name.replaceAll(".", "-"), role })),
    timestamp: new Date(run.nowMs).toISOString(),
    nonce: run.nonce,
  });
  assert(made.kind === "contract", "the built-in reviewers alone are a team");
  return { text: `${canonicalize(made.contract)}\n`, reviewers };
}
