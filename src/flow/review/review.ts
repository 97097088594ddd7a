import { randomBytes } from "node:crypto";
import { messageOf } from "../../base/index.ts";
import { renderTome } from "../../deliver/index.ts";
import { type BlobReader, type Environment, Repository } from "../../repo/index.ts";
import type { CheckedFinding, Finding } from "../../schema/finding.ts";
import type { ReviewReport } from "../../schema/review.ts";
import { CitationChecker, type SourceTree } from "../../verify/citation/index.ts";
import { addKnownFindings, readKnownFindings } from "../known/known-findings.ts";
import type { Place } from "../place.ts";
import { type Removed, sourceTree } from "../source-tree.ts";
import { type ReviewProgress, runBuiltIn } from "./built-in.ts";
import { type CheckedPart, checkParts } from "./check-parts.ts";
import { ContextReader } from "./context.ts";
import { contractFor } from "./contract.ts";
import { makeReport } from "./make-report.ts";
import { type FindingCheck, type ReviewerOutput, ReviewRecord } from "./record.ts";
import { type ReportPart, readReports } from "./report-part.ts";
import { decode, openSubject, type Subject, type Wanted } from "./subject.ts";
import { writeContract } from "./write-report.ts";

/** What a person asked to have reviewed, and how. */
export interface ReviewRequest {
  readonly kind: "review" | "audit";
  readonly folder: string;
  readonly wanted: Wanted;
  /** Reports of other agents that take part. */
  readonly reports: readonly string[];
  /** Whether everything that is found counts as known from now on. */
  readonly takesBaseline: boolean;
  readonly env: Environment;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Where the store is made for a repository's root; nothing is opened before the subject is clear. */
  readonly placeFor: (root: string) => Place;
  readonly onProgress: (step: ReviewStep) => void;
}

/** What a person can be told while it runs. */
export type ReviewStep =
  | { readonly kind: "subject"; readonly range: string; readonly files: number }
  | ({ readonly kind: "reviewing" } & ReviewProgress)
  | { readonly kind: "checking"; readonly done: number };

export interface ReviewOutcome {
  readonly report: ReviewReport;
  readonly place: Place;
  /** Built-in reviewers that failed on a file: what they did not see is not clean. */
  readonly failed: readonly string[];
  /** Source that could not be read at all, by its path. */
  readonly unreadable: readonly string[];
}

/**
 * Reviews a change or a tree: reviewers speak, the source decides what of it is true, and all of it
 * is recorded. Reads git's objects only; the work tree is never read and nothing of it is run.
 */
export async function review(request: ReviewRequest): Promise<ReviewOutcome> {
  // Not stopped with the review: what was found until then is still held against the source.
  const repository = await Repository.open(request.folder, { env: request.env });
  const blobs = repository.openBlobs();
  try {
    const subject = await openSubject(repository, request.wanted, request.folder);
    request.onProgress({ kind: "subject", range: subject.range, files: subject.files.length });
    const tree = await sourceTree(repository, blobs, subject.head, removedBy(subject));
    request.signal.throwIfAborted();
    const place = request.placeFor(repository.root);
    return await reviewSubject(request, { subject, tree, blobs, place });
  } finally {
    await blobs.close();
    repository.close();
  }
}

interface Scene {
  readonly subject: Subject;
  readonly tree: SourceTree;
  readonly blobs: BlobReader;
  readonly place: Place;
}

async function reviewSubject(request: ReviewRequest, scene: Scene): Promise<ReviewOutcome> {
  const { subject, place } = scene;
  const reports = readReports(request.reports);
  const nonce = randomBytes(16).toString("hex");
  const record = ReviewRecord.start(place);
  const run = { trace: record.trace, nonce, nowMs: place.clock() };
  const contract = contractFor(request.kind, reports, run);
  await record.begin({
    objective: `${request.kind} of ${subject.repository}: ${subject.range}`,
    reviewers: contract.reviewers,
    contract: contract.text,
  });
  try {
    writeContract(place, record.trace, contract.text);
    const input = inputOf(subject);
    for (const { name } of contract.reviewers) await record.started(name, input);
    const { report, parts, unreadable } = await hearAndCheck(request, scene, reports, nonce);
    const whole = { ...report, trace: record.trace };
    await recordOutcome(record, parts, whole);
    if (request.takesBaseline) await takeBaseline(place, whole);
    const isFailed = ({ part }: CheckedPart) =>
      part.reviewer.kind === "analyser" && part.standing.status !== "complete";
    const failed = parts.filter(isFailed).map(({ part }) => part.reviewer.name);
    return { report: whole, place, failed, unreadable };
  } catch (error) {
    // The first error is the one to tell; the record stays whole either way.
    await record.abort(`the review broke off: ${messageOf(error)}`).catch(() => {});
    throw error;
  } finally {
    record.close();
  }
}

interface Heard extends Pick<ReviewOutcome, "report" | "unreadable"> {
  readonly parts: readonly CheckedPart[];
}

async function hearAndCheck(
  request: ReviewRequest,
  { subject, tree, blobs, place }: Scene,
  reports: readonly ReportPart[],
  nonce: string,
): Promise<Heard> {
  const { outcomes, unread, unreadable } = await runBuiltIn(subject.files, blobs, {
    threads: request.threads,
    signal: request.signal,
    paths: new Set(await tree.paths()),
    readOther: async (path) => {
      const entry = await tree.find(path);
      return entry.kind === "file" ? decode(entry.bytes) : { why: `it is ${entry.kind}` };
    },
    onProgress: (progress) => request.onProgress({ kind: "reviewing", ...progress }),
  });
  const checker = new CitationChecker(tree);
  let done = 0;
  const check = (finding: Finding) => {
    request.onProgress({ kind: "checking", done: ++done });
    return checker.check(finding);
  };
  const { parts, notes } = await checkParts(outcomes, reports, subject, check);
  const contexts = new ContextReader(tree);
  const { known, ignored } = readKnownFindings(place);
  const { repository, base, head, range } = subject;
  const report = await makeReport({
    kind: request.kind,
    nonce,
    subject: { repository, base, head, range },
    parts: parts.map(({ part }) => part),
    gaps: [...subject.gaps, ...unread, ...outcomes.flatMap(({ gaps }) => gaps)],
    coverage: {
      files: subject.files.length + subject.gaps.length,
      covered: subject.files.length - unread.length,
    },
    isCancelled: request.signal.aborted,
    known,
    notes: [...notes, ...ignoredNote(ignored)],
    contextOf: (finding) => contexts.around(finding),
  });
  return { report, parts, unreadable };
}

/** Everything said and found goes into the record; only then is it the review's outcome. */
async function recordOutcome(
  record: ReviewRecord,
  parts: readonly CheckedPart[],
  report: ReviewReport,
): Promise<void> {
  const isMissing = ({ part }: CheckedPart) => part.standing.status === "missing";
  for (const { part } of parts.filter(isMissing)) {
    await record.failed(part.reviewer.name, part.standing.note ?? "it handed in nothing");
  }
  const outputs = parts.filter((part) => !isMissing(part)).map(toOutput);
  for (const output of outputs) await record.finished(output, output.claim);
  if (report.status === "cancelled") {
    await record.abort("cancelled by the user; what was found until then is recorded");
    return;
  }
  for (const output of outputs) await record.claim(output);
  const summary = summaryOf(report);
  await record.bind(
    `${JSON.stringify({ reviewers: outputs.map(({ name }) => name) })}\n`,
    [
      { name: "report.json", text: `${JSON.stringify(report)}\n`, media_type: "application/json" },
      { name: "tome.md", text: renderTome(report), media_type: "text/markdown" },
    ],
    summary,
  );
  const standing = outputs.filter(({ refuted }) => refuted === undefined).map(({ name }) => name);
  await record.conclude(standing, summary);
}

/** A review that was stopped has not seen everything: what it missed would count as known to be good. */
async function takeBaseline(
  place: Place,
  { status, findings, trace }: ReviewReport,
): Promise<void> {
  if (status === "cancelled" || status === "failed" || findings.length === 0) return;
  await addKnownFindings(place, {
    kind: "baseline",
    identities: findings.map(({ identity }) => identity),
    why: "found when the code base was taken over",
    about: `all findings of ${trace}`,
  });
}

function ignoredNote(lines: number): string[] {
  if (lines === 0) return [];
  return [
    `${lines} lines of known-findings.jsonl carry no valid signature of yours; they silence nothing`,
  ];
}

function toCheck({ finding, verdict, reason, found, identity }: CheckedFinding): FindingCheck {
  const [cited] = finding.citations;
  return {
    finding_id: plain(finding.id),
    verdict,
    identity,
    place: plain(`${cited?.file}${cited?.line === undefined ? "" : `:${cited.line}`}`),
    ...(found === undefined ? {} : { found: plain(`${found.file}:${found.line}`) }),
    reason: plain(reason || verdict),
  };
}

/** Reports are somebody else's: half a character in one must not end the recording. */
function plain(text: string): string {
  return text.toWellFormed();
}

function toOutput({ part, output }: CheckedPart): ReviewerOutput {
  const { name, findings } = part.reviewer;
  const lies = findings.filter(({ verdict }) => verdict === "HALLUCINATED");
  const verdicts = findings.map(({ finding, verdict, reason, found, identity }) => ({
    id: finding.id,
    verdict,
    reason,
    ...(found === undefined ? {} : { found }),
    identity,
  }));
  const refuted =
    lies.length === 0
      ? {}
      : {
          refuted: `${lies.length} of ${findings.length} findings are not in the source: ${lies[0]?.reason}`,
        };
  return {
    name,
    output,
    verdicts: `${JSON.stringify({ verdicts })}\n`,
    checks: findings.map(toCheck),
    claim: `${name} found ${findings.length} things, each quoted from the source`,
    ...refuted,
  };
}

function summaryOf({ findings, refuted, gaps }: ReviewReport): string {
  const count = (priority: string) =>
    findings.filter(({ finding }) => finding.priority === priority).length;
  return `${count("P1")} P1, ${count("P2")} P2, ${count("P3")} P3; ${refuted.length} refuted by the source; ${gaps.length} gaps`;
}

/** What every reviewer was given, by the contents' ids, so that nobody can say later it was something else. */
function inputOf({ head, base, files }: Subject): string {
  const contents = files.map(({ path, blob }) => [path, blob]);
  return `${JSON.stringify({ head, base, files: contents })}\n`;
}

function removedBy({ deleted, renamed }: Subject): Removed {
  return {
    deleted: new Map(deleted.flatMap(({ path, oldBlob }) => (oldBlob ? [[path, oldBlob]] : []))),
    renamed,
  };
}
