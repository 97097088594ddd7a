import { basename, join } from "node:path";
import { renderTome } from "../../deliver/index.ts";
import type { CheckedFinding } from "../../schema/finding.ts";
import type { Gap, ReviewReport } from "../../schema/review.ts";
import { completionDocument, inlineValidationDocument } from "../../verify/contract/index.ts";
import type { Place } from "../place.ts";
import { writeOutput } from "../write-output.ts";
import type { BoundReading, Injected } from "./bound-document.ts";
import type { OpenedContract } from "./contract-file.ts";
import type { JudgedTeam } from "./judge-team.ts";
import { gapLine } from "./state-file.ts";

/** What is to be done about the bound document, and what it adds to the report. */
export interface SettledBound {
  /** Undefined where the contract asks for none. */
  readonly path: string | undefined;
  /** Ours to write; undefined where somebody else wrote one. */
  readonly text: string | undefined;
  readonly report: ReviewReport;
  readonly injected: readonly Injected[];
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
}

/** Where the outcome was written. */
export interface WrittenFiles {
  readonly completion: string;
  readonly inline: string;
  readonly bound: string | null;
  /** What is missing, as the state file lists it. */
  readonly gapLines: readonly string[];
}

/**
 * Decides about the bound document. Without one, ours is written; one that an earlier check of the
 * same files wrote is left as it is; another one's strange findings and losses join the report.
 */
export function settleBound(reading: BoundReading | undefined, report: ReviewReport): SettledBound {
  const settled = { path: undefined, text: undefined, report, injected: [], gaps: [], notes: [] };
  if (reading === undefined) return settled;
  if (reading.kind === "none") return { ...settled, path: reading.path, text: renderTome(report) };
  if (reading.kind === "unreadable") {
    const gap = { what: basename(reading.path), why: `could not be read: ${reading.why}` };
    return { ...settled, path: reading.path, report: withGaps(report, [gap]), gaps: [gap] };
  }
  const { path, text, injected, gaps, notes } = reading.bound;
  const ours = renderTome(report);
  if (text === ours) return { ...settled, path };
  // Ours from before somebody delivered again. What is gone since is told, and nobody is blamed.
  const isOlder = firstLine(text) === firstLine(ours) && injected.every(({ isOwn }) => isOwn);
  if (isOlder) {
    const gone = injected.map(({ id }) => id).join(", ");
    const note = `${basename(path)} is bound anew${gone === "" ? "" : `; no file has these any more: ${gone}`}`;
    return { ...settled, path, text: ours, notes: [note.slice(0, 1_000)] };
  }
  return { ...settled, path, report: withGaps(report, gaps), injected, gaps, notes };
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

function withGaps(report: ReviewReport, gaps: readonly Gap[]): ReviewReport {
  if (gaps.length === 0) return report;
  const status = report.status === "completed" ? "completed_with_gaps" : report.status;
  return { ...report, status, gaps: [...report.gaps, ...gaps] };
}

/** Writes what the check found beside the contract, the completion last: it says that all is there. */
export function writeOutcome({
  opened,
  report,
  bound,
  team,
  said,
  place,
}: {
  readonly opened: OpenedContract;
  readonly report: ReviewReport;
  readonly bound: SettledBound;
  readonly team: JudgedTeam;
  readonly said: readonly CheckedFinding[];
  readonly place: Place;
}): WrittenFiles {
  const { contract, folder } = opened;
  const now = new Date(place.clock()).toISOString();
  const files = {
    completion: join(folder, "completion.json"),
    inline: join(folder, "inline-validation.json"),
    bound: bound.path ?? null,
  };
  writeOutput(files.inline, inlineValidationDocument(now, team.inline));
  if (bound.path !== undefined && bound.text !== undefined) writeOutput(bound.path, bound.text);
  const before = said.filter(({ verdict }) => verdict !== "HALLUCINATED").length;
  const binding = {
    path: `${contract.output_dir.replace(/\/?$/, "/")}${basename(bound.path ?? "")}`,
    total: report.findings.length,
    beforeMerging: before,
  };
  const completion = completionDocument({
    workflow: contract.workflow,
    identifier: identifierOf(opened),
    completedAt: now,
    parts: report.reviewers.map(({ name, status, p1, p2, p3, confidence }) => ({
      name,
      status,
      p1,
      p2,
      p3,
      confidence,
    })),
    ...(bound.path === undefined ? {} : { binding }),
  });
  writeOutput(files.completion, completion);
  return { ...files, gapLines: report.gaps.map(gapLine) };
}

function identifierOf({ contract }: OpenedContract): string {
  if (contract.pr_number !== undefined) return String(contract.pr_number);
  return basename(contract.output_dir) || contract.workflow;
}
