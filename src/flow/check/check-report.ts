import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import type { ReviewReport } from "../../schema/review.ts";
import { identified } from "../../verify/citation/index.ts";
import { agentPart, claimNotes } from "../review/check-parts.ts";
import { makeReport } from "../review/make-report.ts";
import { namesFor } from "../review/report-part.ts";
import type { CheckOutcome } from "./check.ts";

/** What a check of reports found, in the form of a review's report, so that it can be rendered as one. */
export async function reportOfCheck(outcome: CheckOutcome): Promise<ReviewReport> {
  const { commit, repository, reports } = outcome;
  const names = namesFor(reports.map(({ path }) => path));
  return makeReport({
    kind: "check",
    nonce: randomBytes(16).toString("hex"),
    subject: {
      repository: basename(repository),
      base: null,
      head: commit,
      range: `reports about ${commit.slice(0, 12)}`,
    },
    parts: reports.map(({ report, findings, hearing }, index) => {
      const isUnheard = findings.length === 0 && hearing !== "whole";
      const said = { name: names[index] ?? "agent", report, isUnheard };
      return agentPart(said, 0, findings.map(identified));
    }),
    gaps: [],
    coverage: { files: 0, covered: 0 },
    isCancelled: false,
    known: new Map(),
    notes: reports.flatMap(({ claims }, index) => claimNotes(names[index] ?? "agent", claims)),
    contextOf: () => Promise.resolve({ from: 1, lines: [] }),
  });
}
