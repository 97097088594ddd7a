import { messageOf, readPlainFile, SwornError } from "../../base/index.ts";
import {
  type ParsedReport,
  parseReport,
  REPORT_BYTES_MAX,
  saysNoProblem,
  saysNothing,
} from "../../claim/index.ts";
import type { ToldFinding, ToldReport } from "../../inside/index.ts";
import { type Environment, Repository } from "../../repo/index.ts";
import type { JudgedFinding } from "../../schema/finding.ts";
import { CitationChecker } from "../../verify/citation/index.ts";
import { sourceTree } from "../change/source-tree.ts";
import { allSaid, standing } from "./places-beside.ts";
import { type UnseenClaim, unseenClaims } from "./unseen-claims.ts";

/** The source that reports are checked against. */
export interface CheckSource {
  /** A folder in the repository that the reports are about. */
  readonly repository: string;
  /** The commit they are about; the current one where nobody says. */
  readonly at?: string | undefined;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Reports to be checked, and the source to check them against. */
export interface CheckRequest extends CheckSource {
  /** The reports; each is read whole. */
  readonly paths: readonly string[];
  /** Reports that are at hand already, by what they are called among the paths. */
  readonly given?: ReadonlyMap<string, string> | undefined;
}

/** A report as somebody wrote it. */
interface ReadReport {
  readonly path: string;
  readonly report: ParsedReport;
  readonly text: string;
}

/** One report with what the source says about each of its findings. */
export interface CheckedReport {
  readonly path: string;
  readonly report: ParsedReport;
  readonly findings: readonly JudgedFinding[];
  /** What it says was run, which no source can bear out. */
  readonly claims: readonly UnseenClaim[];
  /** What was not understood has not been checked, and must not pass for true. */
  readonly hearing: Hearing;
}

/** How much of a report was understood: all of it, not every finding, or not one word. */
export type Hearing = "whole" | "partial" | "none";

export interface CheckOutcome {
  readonly commit: string;
  readonly repository: string;
  readonly reports: readonly CheckedReport[];
}

/**
 * Checks the findings of any reports against the source at one commit. Reads the repository's
 * objects and nothing of its work tree; writes nothing.
 *
 * @throws SwornError `NOT_FOUND`, `INPUT_INVALID`, `LIMIT_EXCEEDED` for reports that cannot be read
 * and for what is no repository.
 */
export async function checkReports(request: CheckRequest): Promise<CheckOutcome> {
  const parsed = request.paths.map((path) => {
    const text = request.given?.get(path);
    return { path, ...(text === undefined ? readReport(path) : parsedText(text, path)) };
  });
  return checkParsed(parsed, request);
}

/** Checks one report that is at hand as text; `path` is only what it is called. */
export async function checkText(
  text: string,
  path: string,
  source: CheckSource,
): Promise<CheckOutcome> {
  return checkParsed([{ path, ...parsedText(text, path) }], source);
}

async function checkParsed(
  parsed: readonly ReadReport[],
  request: CheckSource,
): Promise<CheckOutcome> {
  const repository = await Repository.open(request.repository, request);
  const blobs = repository.openBlobs();
  try {
    const commit = await repository.resolveCommit(request.at ?? "HEAD");
    const checker = new CitationChecker(await sourceTree(repository, blobs, commit));
    const all = parsed.flatMap(({ report }) => allSaid(report));
    let done = 0;
    const checked = await checker.checkAll(all, () => {
      request.signal.throwIfAborted();
      done += 1;
      request.onProgress?.(done, all.length);
    });
    const reports = parsed.map(({ path, report, text }): CheckedReport => {
      const findings = standing(report, checked.splice(0, allSaid(report).length));
      const claims = unseenClaims(report, text);
      return { path, report, findings, claims, hearing: hearingOf(report, text) };
    });
    return { commit, repository: repository.root, reports };
  } finally {
    await blobs.close();
    repository.close();
  }
}

/** What a check found, as it is told. */
export function toldReports({ commit, reports }: CheckOutcome): ToldReport[] {
  return reports.map(({ path, report, findings, claims, hearing }) => ({
    path,
    commit,
    findings: findings.map(toldFinding),
    claims,
    unread: report.unread,
    hearing,
  }));
}

function toldFinding({ finding, verdict, reason, found }: JudgedFinding): ToldFinding {
  const [cited] = finding.citations;
  return {
    id: finding.id,
    title: finding.title,
    file: cited?.file ?? null,
    line: cited?.line ?? null,
    verdict,
    ...(found === undefined ? {} : { found }),
    reason,
  };
}

/** Whether nothing at all was taken from a report that does not say that there is nothing. */
export function isUnheard(report: ParsedReport, text: string): boolean {
  return report.findings.length === 0 && hearingOf(report, text) !== "whole";
}

function hearingOf({ format, findings, unread }: ParsedReport, text: string): Hearing {
  if (unread.some((part) => !saysNoProblem(part))) return "partial";
  // The other formats have a place for an empty list; prose has to say that there is none.
  const isSilent = format === "markdown" && findings.length === 0 && !saysNothing(text);
  return isSilent ? "none" : "whole";
}

const parsedText = (text: string, path: string) => ({
  report: parseReport(text, { path, isReview: true }),
  text,
});

/** Reads a report as an agent, or a tool, wrote it; the text as it stands comes along. */
export function readReport(path: string): { report: ParsedReport; text: string } {
  try {
    const text = readPlainFile(path, REPORT_BYTES_MAX).toString("utf8");
    return parsedText(text, path);
  } catch (cause) {
    if (cause instanceof SwornError) throw cause;
    throw new SwornError("NOT_FOUND", `the report ${path} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}
