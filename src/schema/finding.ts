import * as z from "zod";
import { Digest } from "./id.ts";
import { PRIORITIES } from "./priority.ts";

/** Longest text a finding may carry in one field; what is longer is cut by whoever reads it in. */
export const FINDING_TEXT_CHARS_MAX = 20_000;
/** Most places one finding may point at. */
const CITATIONS_MAX = 100;

const Line = z.int().min(1).max(100_000_000);
const Prose = z.string().max(FINDING_TEXT_CHARS_MAX);

export const Priority = z.enum(PRIORITIES);
export type Priority = z.infer<typeof Priority>;
export { PRIORITIES } from "./priority.ts";

/**
 * A place that somebody points at. The quoted text is the anchor, the line is a hint: lines move,
 * text that is not there was made up.
 */
export const Citation = z.strictObject({
  /** As written, so that a made-up path can be shown; never opened as a path. */
  file: z.string().min(1).max(4_096),
  line: Line.optional(),
  end_line: Line.optional(),
  /** The exact text, as copied; without it only file and line can be checked. */
  quote: Prose.optional(),
});
export type Citation = z.infer<typeof Citation>;

/** A claim that something is nowhere; it needs the search that found nothing. */
export const Absence = z.strictObject({
  /** What was looked for: plain text, not a pattern. */
  text: z.string().min(1).max(1_000),
  /** Where: path prefixes or files; empty means the whole tree. */
  within: z.array(z.string().min(1).max(4_096)).max(CITATIONS_MAX),
});
export type Absence = z.infer<typeof Absence>;

/** One thing a reviewer says about the code, whoever the reviewer is. */
export const Finding = z.strictObject({
  /** As the reviewer numbered it: `SEC-001`. */
  id: z.string().min(1).max(64),
  title: z.string().min(1).max(500),
  priority: Priority,
  /** What kind of thing it is: `command-injection`. */
  category: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .optional(),
  /** The first one is where it is; further ones belong to it. */
  citations: z.array(Citation).min(1).max(CITATIONS_MAX),
  issue: Prose.optional(),
  fix: Prose.optional(),
  /** The reviewer's own estimate in points; it never raises trust. */
  confidence: z.int().min(0).max(100).optional(),
  /** From where a value comes to where it does harm, for who followed it. */
  path: z.array(Citation).max(CITATIONS_MAX).optional(),
  absence: Absence.optional(),
});
export type Finding = z.infer<typeof Finding>;

/** What checking a finding against the source gave. */
export const VERDICTS = ["CONFIRMED", "INACCURATE", "HALLUCINATED", "UNVERIFIED"] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

/** A finding with what the source says about it. */
export const CheckedFinding = z.strictObject({
  finding: Finding,
  verdict: Verdict,
  /** Why, in words; for INACCURATE it says what differs. */
  reason: z.string().max(2_000),
  /** The true place, where it differs from the cited one. */
  found: z.strictObject({ file: z.string().min(1).max(4_096), line: Line }).optional(),
  /** Path, anchor text and category, in one digest: the same for the same thing said twice. */
  identity: Digest,
});
export type CheckedFinding = z.infer<typeof CheckedFinding>;

/** What a check says, before it is asked whether the same was said before. */
export interface JudgedFinding extends Omit<CheckedFinding, "identity"> {
  /** The cited file as the tree calls it; as written, where there is none. */
  readonly path: string;
}

/** A part of a report that looked like a finding and could not be read as one. */
export const Unread = z.strictObject({
  line: z.int().min(1),
  text: z.string().max(2_000),
  why: z.string().max(500),
});
export type Unread = z.infer<typeof Unread>;
