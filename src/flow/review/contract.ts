import { canonicalize } from "../../base/index.ts";
import { makeContract } from "../../plan/index.ts";
import { FILE_REVIEWERS, treeReviewers } from "../../scan/index.ts";
import type { RecordedReviewer } from "./record.ts";
import type { ReportPart } from "./report-part.ts";
import type { Subject } from "./subject.ts";

/** What the team owes, frozen before anybody begins. */
export interface FrozenContract {
  readonly text: string;
  readonly reviewers: readonly RecordedReviewer[];
}

/** Writes down who takes part and what each will hand in. */
export function contractFor(
  kind: "review" | "audit",
  subject: Subject,
  reports: readonly ReportPart[],
  { nonce, nowMs }: { readonly nonce: string; readonly nowMs: number },
): FrozenContract {
  const builtIn = [...FILE_REVIEWERS, ...treeReviewers(new Set())];
  const reviewers = [
    ...builtIn.map(({ name, role }) => ({ name, role })),
    ...reports.map(({ name }) => ({ name, role: "A report that somebody else's agent wrote" })),
  ];
  const made = makeContract({
    workflow: kind,
    outputDir: `.sworn/reviews/${nonce}`,
    agents: reviewers.map(({ name, role }) => ({ name: name.replaceAll(".", "-"), role })),
    timestamp: new Date(nowMs).toISOString(),
    nonce,
  });
  const contract = made.kind === "contract" ? made.contract : { reason: made.reason };
  const about = { repository: subject.repository, head: subject.head, range: subject.range };
  return { text: `${canonicalize({ contract, about })}\n`, reviewers };
}
