import * as z from "zod";
import { CheckedFinding, Finding, Unread } from "./finding.ts";
import { Digest, Text } from "./id.ts";

const Count = z.int().min(0);
const Word = z.string().max(200);
const Words = z.string().max(2_000);

/** What became of one reviewer's part. */
export const ReviewerOutcome = z.strictObject({
  name: Word,
  role: Word,
  status: z.enum(["complete", "partial", "missing"]),
  /** Why it is not complete, or what else a reader should know. */
  note: Words.optional(),
  files: Count,
  p1: Count,
  p2: Count,
  p3: Count,
  /** In points; null where there is nothing to compute it from. */
  confidence: z.int().min(0).max(100).nullable(),
  confirmed: Count,
  inaccurate: Count,
  hallucinated: Count,
  unverified: Count,
  unread: Count,
  /** One made-up finding is enough to doubt all the others. */
  reliable: z.boolean(),
});
export type ReviewerOutcome = z.infer<typeof ReviewerOutcome>;

/** What stands behind a finding beyond the quotation. Only `quotation` cannot block a change. */
export const Support = z.enum(["analyser", "second-reviewer", "reproducer", "quotation"]);

/** A finding as it reaches the person: checked, said once, with everybody who said it. */
export const ReportedFinding = z.strictObject({
  ...CheckedFinding.shape,
  finding: Finding,
  by: Word,
  also_by: z.array(Word).max(100),
  support: Support,
  /** Others that point at the same lines, perhaps for another reason: reviewer and id. */
  same_lines: z.array(z.string().max(300)).max(100).optional(),
  /** The source around it, for the report: the first line's number and the lines. */
  context: z.strictObject({ from: z.int().min(1), lines: z.array(z.string().max(2_000)).max(60) }),
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/** Something that was to be looked at and was not. */
export const Gap = z.strictObject({ what: Words, who: Word.optional(), why: Words });
export type Gap = z.infer<typeof Gap>;

/** How an agent's log of its own second look reads, judged by fixed bounds. */
export const SelfReviewHealth = z.strictObject({
  reviewer: Word,
  confirmed: Count,
  revised: Count,
  deleted: Count,
  logged: Count,
  expected: Count,
  health: z.enum(["healthy", "warning", "rotted"]),
  notes: z.array(Words).max(20),
});
export type SelfReviewHealth = z.infer<typeof SelfReviewHealth>;

/** The outcome of a review or an audit: what a person reads, in the form that programs read. */
export const ReviewReport = z.strictObject({
  v: z.literal(1),
  /** `review` of a change or `audit` of a tree; or as a contract calls it. */
  kind: Word,
  /** Findings in the rendered report carry it; whatever does not was put there by somebody else. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  subject: z.strictObject({
    repository: Word,
    /** The commit compared with; null for a whole tree. */
    base: z.string().max(64).nullable(),
    head: z.string().max(64),
    /** As it was asked for: `main..HEAD`, `staged`, a path. */
    range: Words,
  }),
  status: z.enum(["completed", "completed_with_gaps", "failed", "cancelled"]),
  reviewers: z.array(ReviewerOutcome).max(100),
  findings: z.array(ReportedFinding),
  /** Findings that the source refutes; they are shown as such and count for nothing else. */
  refuted: z.array(z.strictObject({ ...CheckedFinding.shape, by: Word })),
  unread: z.array(z.strictObject({ ...Unread.shape, by: Word })),
  gaps: z.array(Gap),
  coverage: z.strictObject({ files: Count, covered: Count }),
  self_review: z.array(SelfReviewHealth).max(100),
  /** Notes between reviewers: the same said by three or more, or the opposite said of one place. */
  notes: z.array(Words).max(1_000),
  /** Known and dismissed before; not raised again. */
  dismissed: Count,
  /** Known from the baseline; not raised again. */
  baseline: Count,
  /** Where it was recorded; absent in a report that was made without a record. */
  trace: z.string().max(64).optional(),
  digest: Digest.optional(),
});
export type ReviewReport = z.infer<typeof ReviewReport>;

/** Most identities on one line, so that no line grows without bound. */
export const KNOWN_IDENTITIES_MAX = 1_000;

/**
 * One line of the file of known findings: what a person said about some of them. `dismissed` and
 * `baseline` are not raised again, `restored` are. Signed by the person's key: an agent that can
 * write into the project must not be able to silence what was found in its work.
 */
export const KnownFindings = z.strictObject({
  v: z.literal(1),
  kind: z.enum(["dismissed", "baseline", "restored"]),
  identities: z.array(Digest).min(1).max(KNOWN_IDENTITIES_MAX),
  why: Text.max(500),
  /** What it was about when it was said, for people: id, title, place. */
  about: Text.max(1_000),
  at: z.iso.datetime(),
  key: z.string().regex(/^[0-9a-f]{32}$/),
  signature: z.base64().length(88),
});
export type KnownFindings = z.infer<typeof KnownFindings>;
