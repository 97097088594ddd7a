import type { Teammate } from "../../schema/contract.ts";
import { type Counts, countFindings, type DeliveredReport } from "./delivered-report.ts";
import { logProblems } from "./log-problems.ts";
import { sealProblems } from "./seal-problems.ts";
import { sectionProblems } from "./sections.ts";

/** A file of no more bytes is a stub. */
const FILE_BYTES_MIN = 100;

/** What was found where a teammate owes a file. Reading it is the caller's part. */
export type Delivery =
  | {
      readonly kind: "file";
      readonly text: string;
      readonly report: DeliveredReport;
      /** Why it is not to be checked; then it is partial, because nobody knows better. */
      readonly unchecked?: string;
    }
  | { readonly kind: "missing" }
  /** It could not be looked at, which is not the same as being in order. */
  | { readonly kind: "unreadable"; readonly why: string };

/** One teammate's part, held against its contract. */
export interface Deliverable {
  readonly name: string;
  readonly status: "complete" | "partial" | "missing";
  /** Why it is not complete; empty only when it is. */
  readonly reasons: readonly string[];
  /** What else a reader should know. */
  readonly notes: readonly string[];
  readonly counts: Counts;
  /** What it means for the whole, for the table of gaps; empty when complete. */
  readonly impact: string;
}

/** Holds one file against what was agreed. The nonce is the contract's. */
export function checkDeliverable(
  teammate: Teammate,
  delivery: Delivery,
  nonce: string | undefined,
): Deliverable {
  const absent = absence(delivery);
  if (absent !== undefined || delivery.kind !== "file") {
    return {
      name: teammate.name,
      status: "missing",
      reasons: [absent ?? "no file"],
      notes: [],
      counts: { p1: 0, p2: 0, p3: 0 },
      impact: `${taskOf(teammate)}: nothing was delivered`,
    };
  }
  const { report } = delivery;
  const reasons =
    delivery.unchecked === undefined ? problemsOf(teammate, report, nonce) : [delivery.unchecked];
  return {
    name: teammate.name,
    status: reasons.length === 0 ? "complete" : "partial",
    reasons,
    notes: notesOn(report, nonce),
    counts: countFindings(report.findings),
    impact: reasons.length === 0 ? "" : `${taskOf(teammate)}: may be incomplete`,
  };
}

function problemsOf(
  teammate: Teammate,
  report: DeliveredReport,
  nonce: string | undefined,
): string[] {
  return [
    ...sectionProblems(teammate.required_sections, report.sections),
    ...sealProblems(report, nonce),
    ...logProblems(report),
  ];
}

function notesOn({ unread }: DeliveredReport, nonce: string | undefined): string[] {
  const notes: string[] = [];
  if (nonce === undefined) notes.push("the contract has no nonce: the Seal may be anybody's");
  if (unread.length > 0) {
    notes.push(`${unread.length} parts look like findings and could not be read`);
  }
  return notes;
}

function absence(delivery: Delivery): string | undefined {
  if (delivery.kind === "missing") return "no file";
  if (delivery.kind === "unreadable") return `could not be read: ${delivery.why.slice(0, 500)}`;
  const bytes = Buffer.byteLength(delivery.text);
  if (bytes > FILE_BYTES_MIN) return undefined;
  return `the file has ${bytes} bytes, expected more than ${FILE_BYTES_MIN}`;
}

const taskOf = ({ name, role }: Teammate): string => role ?? name;
