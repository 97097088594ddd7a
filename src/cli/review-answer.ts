import { join, relative, resolve } from "node:path";
import { counted } from "../base/index.ts";
import { renderAnnotations, renderSarif, renderSummary } from "../deliver/index.ts";
import { type ReviewRequest, type ReviewStep, review } from "../flow/review/review.ts";
import { writeReport } from "../flow/review/write-report.ts";
import { PRIORITIES, type Priority } from "../schema/finding.ts";
import type { ReviewReport } from "../schema/review.ts";
import { threadsHere } from "./arguments.ts";
import { openPlace } from "./config.ts";
import type { Answer, CommandIo } from "./io.ts";
import { progress } from "./progress.ts";

/** What the review and audit commands share of their options. */
export interface ReviewOptions {
  readonly with: readonly string[];
  readonly "fail-on": "p1" | "p2" | "p3" | "never";
  readonly sarif: boolean;
  readonly annotations: boolean;
  readonly baseline: boolean;
}

/** Only a terminal has a width; what goes into a file or a program is not cut. */
const PLAIN_WIDTH = Number.POSITIVE_INFINITY;

/** Runs a review and answers with its summary; the exit code is a gate's, not a verdict on people. */
export async function reviewAnswer(
  wanted: Pick<ReviewRequest, "kind" | "wanted">,
  options: ReviewOptions,
  io: CommandIo,
): Promise<Answer> {
  const bar = progress(io, "reviewed");
  try {
    const { report, place, ...missed } = await review({
      ...wanted,
      folder: io.cwd,
      reports: options.with.map((path) => resolve(io.cwd, path)),
      takesBaseline: options.baseline,
      env: io.env,
      threads: threadsHere(),
      signal: io.signal,
      placeFor: (root) => openPlace({ ...io, cwd: root }, "here"),
      onProgress: (step) => {
        if (step.kind === "subject") {
          io.err(`Reviewing ${step.range}: ${counted(step.files, "file")}\n`);
        } else bar.show(() => stepWords(step));
      },
    });
    bar.end();
    const folder = writeReport(place, report.trace ?? report.nonce, report);
    return toAnswer({ report, folder, ...missed }, options, io);
  } finally {
    bar.end();
  }
}

/** A path as a person would type it here. */
function shortest(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith("..") ? path : fromHere;
}

/** Where each reviewer is: the slowest is what a person waits for. */
function stepWords(step: Exclude<ReviewStep, { kind: "subject" }>): string {
  if (step.kind === "checking")
    return `checked ${counted(step.done, "finding")} against the source`;
  const each = step.reviewers.map(
    ({ name, done, found }) => `${name} ${done}${found === 0 ? "" : ` (${found} found)`}`,
  );
  return `read ${step.done}/${step.of} files: ${each.join(", ")}`;
}

interface Outcome {
  readonly report: ReviewReport;
  readonly failed: readonly string[];
  readonly unreadable: readonly string[];
  readonly unheard: readonly string[];
  readonly folder: string;
}

function toAnswer(outcome: Outcome, options: ReviewOptions, io: CommandIo): Answer {
  const { report, failed, unreadable, unheard, folder } = outcome;
  const style = { width: io.columns ?? PLAIN_WIDTH, colours: false };
  const words = [
    renderSummary(report, style),
    ...(failed.length === 0
      ? []
      : [`Failed, see the gaps and what was refuted: ${failed.join(", ")}`]),
    ...(unreadable.length === 0
      ? []
      : [`Could not be read, see the gaps: ${counted(unreadable.length, "source file")}`]),
    ...unheard.map(
      (path) =>
        `No finding was recognised in ${shortest(path, io.cwd)}, so that nothing of it was checked`,
    ),
    ...(options.baseline && !isStopped(report)
      ? [`Baseline: known from now on: ${counted(report.findings.length, "finding")}`]
      : []),
    `Report: ${shortest(join(folder, "TOME.md"), io.cwd)} (also report.html, report.sarif, report.json)`,
    `Record: ${report.trace}; "sworn verify ${report.trace}" proves it`,
  ].join("\n");
  const exit = exitOf(outcome, options);
  const answer = { exit, json: { ...report, folder }, words, isAnswered: true };
  const instead = insteadOfWords(report, options);
  return instead === undefined ? answer : { ...answer, bytes: [Buffer.from(instead)] };
}

function insteadOfWords(
  report: ReviewReport,
  { sarif, annotations }: ReviewOptions,
): string | undefined {
  if (sarif) return `${JSON.stringify(renderSarif(report))}\n`;
  return annotations ? renderAnnotations(report) : undefined;
}

function isStopped({ status }: ReviewReport): boolean {
  return status === "failed" || status === "cancelled";
}

function exitOf(outcome: Outcome, options: ReviewOptions): Answer["exit"] {
  const { report, failed, unreadable, unheard } = outcome;
  if (isStopped(report)) return 1;
  if (!options.baseline && isTooMuch(report, options["fail-on"])) return 3;
  // Who failed, or could not read, has not said that all is well; a gate must not open for it.
  return failed.length + unreadable.length + unheard.length > 0 ? 1 : 0;
}

function isTooMuch({ findings }: ReviewReport, failOn: ReviewOptions["fail-on"]): boolean {
  if (failOn === "never") return false;
  const limit = PRIORITIES.indexOf(failOn.toUpperCase() as Priority);
  // A quotation proves the place, not the reasoning: by itself it blocks nothing.
  return findings.some(
    ({ finding, support }) =>
      support !== "quotation" && PRIORITIES.indexOf(finding.priority) <= limit,
  );
}
