import type { Seal, SelfReviewRow } from "../../schema/contract.ts";
import type { Priority } from "../../schema/finding.ts";

/**
 * What the contract's checks need to know of a report. It is a part of what `claim` makes of a
 * file, named here because folders of one row do not import each other.
 */
export interface DeliveredReport {
  /** Each heading, and how many words stand below it. */
  readonly sections: readonly { readonly title: string; readonly words: number }[];
  /** The last one outside code, or why it could not be read; undefined where there is none. */
  readonly seal: DeliveredSeal | undefined;
  readonly selfReview: readonly SelfReviewRow[];
  readonly findings: readonly DeliveredFinding[];
  /** Parts that looked like findings and could not be read. */
  readonly unread: readonly unknown[];
  /** The nonces that findings are marked with; an unmarked finding has none. */
  readonly nonces: readonly (string | undefined)[];
}

/**
 * A Seal as it was read, or what is wrong with the thing that calls itself one. The last thing in a
 * file has nothing but blank lines after it.
 */
export type DeliveredSeal =
  | { readonly seal: Seal; readonly isLast: boolean }
  | { readonly problem: string };

/** What is needed of a finding to count it and to look for it in the log. */
export interface DeliveredFinding {
  readonly id: string;
  readonly priority: Priority;
  /** The first one is where it is. */
  readonly citations: readonly { readonly file: string; readonly quote?: string | undefined }[];
}

/** Findings by priority, counted here and never taken from what an agent says. */
export interface Counts {
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
}

/** Counts anew, by priority. */
export function countFindings(findings: readonly { readonly priority: Priority }[]): Counts {
  const count = (priority: Priority) =>
    findings.filter((finding) => finding.priority === priority).length;
  return { p1: count("P1"), p2: count("P2"), p3: count("P3") };
}
