import { join, resolve } from "node:path";
import { renderSarif, renderSummary } from "../deliver/index.ts";
import { type ReviewRequest, review } from "../flow/review/review.ts";
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
}

const PLAIN_WIDTH = 100;

/** Runs a review and answers with its summary; the exit code is a gate's, not a verdict on people. */
export async function reviewAnswer(
  wanted: Pick<ReviewRequest, "kind" | "wanted">,
  options: ReviewOptions,
  io: CommandIo,
): Promise<Answer> {
  const bar = progress(io, "reviewed", "files");
  try {
    const { report, place, failed } = await review({
      ...wanted,
      folder: io.cwd,
      reports: options.with.map((path) => resolve(io.cwd, path)),
      dismissed: new Set(),
      baseline: new Set(),
      env: io.env,
      threads: threadsHere(),
      signal: io.signal,
      placeFor: (root) => openPlace({ ...io, cwd: root }, "here"),
      onProgress: (step) => {
        if (step.kind === "subject") io.err(`Reviewing ${step.range}: ${step.files} files\n`);
        else if (step.kind === "reviewing") bar.update(step.done);
      },
    });
    bar.end();
    const folder = writeReport(place, report.trace ?? report.nonce, report);
    return toAnswer({ report, failed, folder }, options, io);
  } finally {
    bar.end();
  }
}

function toAnswer(
  { report, failed, folder }: { report: ReviewReport; failed: readonly string[]; folder: string },
  { sarif, "fail-on": failOn }: ReviewOptions,
  io: CommandIo,
): Answer {
  const isStopped = report.status === "failed" || report.status === "cancelled";
  // A reviewer that failed has not said that all is well; a gate must not open for it.
  const isBlind = failed.length > 0 && failOn !== "never";
  const exit = isStopped ? 1 : isTooMuch(report, failOn) ? 3 : isBlind ? 1 : 0;
  const style = { width: io.columns ?? PLAIN_WIDTH, colours: false };
  const words = [
    renderSummary(report, style),
    ...(failed.length === 0 ? [] : [`Failed on some files, see the gaps: ${failed.join(", ")}`]),
    `Report: ${join(folder, "TOME.md")} (also report.html, report.sarif, report.json)`,
    `Record: ${report.trace}; "sworn verify ${report.trace}" proves it`,
  ].join("\n");
  const bytes = sarif ? { bytes: [Buffer.from(`${JSON.stringify(renderSarif(report))}\n`)] } : {};
  return { exit, json: { ...report, folder }, words, ...bytes };
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
