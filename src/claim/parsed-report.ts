import type { Seal, SelfReviewRow } from "../schema/contract.ts";
import type { Finding, Unread } from "../schema/finding.ts";
import { type NamedPlace, placesOfTexts } from "./named-places.ts";

/** Longest report that is read, in bytes. */
export const REPORT_BYTES_MAX = 16 * 1024 * 1024;
/** Most findings one report may hold; a reviewer with more has not reviewed. */
export const FINDINGS_MAX = 20_000;

/** The spellings of a report we read. */
export const REPORT_FORMATS = ["markdown", "findings-json", "sarif", "rdjson"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A Seal as written, or why the thing that calls itself one could not be read. */
export type ParsedSeal =
  | { readonly seal: Seal; readonly line: number; readonly isLast: boolean }
  | { readonly problem: string; readonly line: number };

/** A heading of level 2 or deeper; the words include those of the headings below it. */
export interface ReportSection {
  readonly title: string;
  readonly line: number;
  readonly words: number;
}

/** Something an agent wants to hear from its lead or from a person. */
export interface Question {
  readonly kind: "CLARIFICATION_REQUEST" | "Human Escalation Required";
  readonly text: string;
  readonly line: number;
}

/** What a reviewer's file says, before any of it is believed. */
export interface ParsedReport {
  readonly format: ReportFormat;
  readonly findings: Finding[];
  /** For each finding, at the same index, the nonce of the wrapper around it. */
  readonly nonces: (string | undefined)[];
  /** What looked like a finding and is none. In JSON formats, `line` counts elements from one. */
  readonly unread: Unread[];
  readonly sections: ReportSection[];
  readonly seal: ParsedSeal | undefined;
  readonly selfReview: SelfReviewRow[];
  readonly questions: Question[];
  /** What its author could not show; never a finding. */
  readonly unverified: Unread[];
  /** The lines of files that it names anywhere but in quoted code, those of its findings included. */
  readonly places: NamedPlace[];
  readonly reviewer?: string;
}

/** A report of a format that knows only findings. */
export function bareReport(
  format: ReportFormat,
  parts: Pick<ParsedReport, "findings" | "unread" | "reviewer">,
): ParsedReport {
  return {
    ...parts,
    format,
    nonces: parts.findings.map(() => undefined),
    sections: [],
    seal: undefined,
    selfReview: [],
    questions: [],
    unverified: [],
    places: placesOfTexts(parts.findings.map(({ title, issue = "" }) => `${title}\n${issue}`)),
  };
}
