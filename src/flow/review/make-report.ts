import type { CheckedFinding, Unread } from "../../schema/finding.ts";
import type { Gap, ReportedFinding, ReviewReport } from "../../schema/review.ts";
import {
  type MergedFinding,
  mergeFindings,
  type ReviewerFindings,
  type ReviewerStanding,
  reviewerOutcome,
  selfReviewHealth,
  support,
  teamNotes,
  vouchersOf,
  withoutCopies,
} from "../../verify/team/index.ts";
import { isSilenced, type Known } from "../known/known-findings.ts";
import { sameLines } from "./same-lines.ts";

/** One reviewer's part: what it said, checked, and what else is known of it. */
export interface Part {
  readonly reviewer: ReviewerFindings;
  readonly standing: ReviewerStanding;
  readonly unread: readonly Unread[];
}

/** Everything a report is made of. */
export interface ReportInput {
  readonly kind: string;
  readonly nonce: string;
  readonly subject: ReviewReport["subject"];
  readonly parts: readonly Part[];
  readonly gaps: readonly Gap[];
  readonly coverage: ReviewReport["coverage"];
  readonly isCancelled: boolean;
  /** What a person said of findings before, by their identity. */
  readonly known: ReadonlyMap<string, Pick<Known, "kind">>;
  readonly notes: readonly string[];
  /** The source around a place. */
  readonly contextOf: (finding: MergedFinding) => Promise<ReportedFinding["context"]>;
}

const NOTES_MAX = 1_000;

/** Brings the checked findings of all reviewers together, each said once. */
export async function makeReport(input: ReportInput): Promise<ReviewReport> {
  const { reviewers, notes: copies } = withoutCopies(input.parts.map(({ reviewer }) => reviewer));
  const { findings, refuted } = mergeFindings(reviewers);
  const saidOf = ({ identity }: CheckedFinding) => input.known.get(identity)?.kind ?? "restored";
  const countOf = (kind: Known["kind"]) => findings.filter((one) => saidOf(one) === kind).length;
  const isRaised = ({ identity }: CheckedFinding) => !isSilenced(input.known, identity);
  const raised = findings.filter(isRaised);
  const missing = input.parts.filter(({ standing }) => standing.status === "missing");
  const unheard = new Set(missing.map(({ reviewer }) => reviewer.name));
  const vouchers = vouchersOf(reviewers);
  const others = sameLines(raised);
  const reported: ReportedFinding[] = [];
  for (const one of raised) {
    const { sayings: _, ...finding } = one;
    const context = await input.contextOf(one);
    const same = others.get(one.identity);
    reported.push({
      ...finding,
      support: support(one, vouchers),
      ...(same === undefined ? {} : { same_lines: same }),
      context,
    });
  }
  return {
    v: 1,
    kind: input.kind,
    nonce: input.nonce,
    subject: input.subject,
    status: statusOf(input),
    reviewers: input.parts.map(({ reviewer, standing }) =>
      reviewerOutcome(reviewer, standing, isRaised),
    ),
    findings: reported,
    refuted: refuted.map(({ by, checked }) => ({ ...checked, by })),
    unread: input.parts.flatMap(({ reviewer, unread }) =>
      unread.map((part) => ({ ...part, by: reviewer.name })),
    ),
    gaps: [...input.gaps],
    coverage: input.coverage,
    self_review: reviewers
      // Of a report that nobody understood, an empty log says nothing good.
      .filter(({ kind, name }) => kind === "agent" && !unheard.has(name))
      .map(({ name, log, findings: own }) =>
        selfReviewHealth({ reviewer: name, log, serious: seriousOf(own), editsSeen: null }),
      ),
    notes: [...input.notes, ...copies, ...teamNotes(reviewers)].slice(0, NOTES_MAX),
    dismissed: countOf("dismissed"),
    baseline: countOf("baseline"),
  };
}

function seriousOf(findings: readonly CheckedFinding[]): number {
  return findings.filter(({ finding }) => finding.priority !== "P3").length;
}

function statusOf({ parts, gaps, isCancelled }: ReportInput): ReviewReport["status"] {
  if (isCancelled) return "cancelled";
  const statuses = parts.map(({ standing }) => standing.status);
  if (statuses.every((status) => status === "missing")) return "failed";
  const isWhole = gaps.length === 0 && statuses.every((status) => status === "complete");
  return isWhole ? "completed" : "completed_with_gaps";
}
