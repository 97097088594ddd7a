import { randomBytes } from "node:crypto";
import { messageOf } from "../../base/index.ts";
import { type BlobReader, type Environment, Repository } from "../../repo/index.ts";
import { reapFolders } from "../../run/workspace/index.ts";
import type { Finding } from "../../schema/finding.ts";
import type { Gap, ReviewReport } from "../../schema/review.ts";
import { CitationChecker, identified, type SourceTree } from "../../verify/citation/index.ts";
import { type Removed, sourceTree } from "../change/source-tree.ts";
import { addKnownFindings, isSilenced, readKnownFindings } from "../known/known-findings.ts";
import type { Place } from "../place.ts";
import { type ReviewProgress, runBuiltIn } from "./built-in.ts";
import { type CheckedPart, checkParts, unheardGaps } from "./check-parts.ts";
import { ContextReader } from "./context.ts";
import { contractFor } from "./contract.ts";
import { findDisguised } from "./disguised.ts";
import { makeReport } from "./make-report.ts";
import { onlyRemoved } from "./only-removed.ts";
import { ReviewRecord } from "./record.ts";
import { recordOutcome } from "./record-outcome.ts";
import type { ReportPart } from "./report-part.ts";
import { reviewTests } from "./review-tests.ts";
import { decode, openSubject, type Subject, type Wanted } from "./subject.ts";
import type { BuiltInOutcome } from "./tally.ts";
import { workTreeNote } from "./work-tree-note.ts";
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
  /** Reports of which nothing was understood, by their path. */
  readonly unheard: readonly string[];
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
    reapFolders(place.clock());
    const uncommitted = await workTreeNote(repository, request.wanted, request.reports);
    return await reviewSubject(request, { subject, tree, blobs, place, uncommitted });
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
  /** What a person should know of the work tree, which is not reviewed. */
  readonly uncommitted: readonly string[];
}

/** Most reviews have none; what reads them is a quarter of all that a review would load. */
async function reportsOf({ reports }: ReviewRequest): Promise<readonly ReportPart[]> {
  if (reports.length === 0) return [];
  const { readReports } = await import("./report-part.ts");
  return readReports(reports);
}

async function reviewSubject(request: ReviewRequest, scene: Scene): Promise<ReviewOutcome> {
  const { subject, place } = scene;
  const reports = await reportsOf(request);
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
    const agents = new Set(reports.map(({ name }) => name));
    for (const { name } of contract.reviewers) {
      await record.started(name, input, agents.has(name) ? "elsewhere" : "here");
    }
    const { report, parts, unreadable } = await hearAndCheck(request, scene, reports, nonce);
    const whole = { ...report, trace: record.trace };
    await recordOutcome(record, parts, whole);
    if (request.takesBaseline) await takeBaseline(place, whole);
    const isFailed = ({ part: { reviewer, standing } }: CheckedPart) =>
      reviewer.kind === "analyser" &&
      (standing.status !== "complete" ||
        reviewer.findings.some(({ verdict }) => verdict === "HALLUCINATED"));
    const failed = parts.filter(isFailed).map(({ part }) => part.reviewer.name);
    const unheard = reports.filter(({ isUnheard }) => isUnheard).map(({ path }) => path);
    return { report: whole, place, failed, unreadable, unheard };
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
  { subject, tree, blobs, place, uncommitted }: Scene,
  reports: readonly ReportPart[],
  nonce: string,
): Promise<Heard> {
  const { doubted, gaps: disguised } = await findDisguised(subject.passedByName, blobs);
  const {
    outcomes: others,
    unread,
    unreadable,
    foreign,
    gaps,
  } = await runBuiltIn(subject.files, blobs, {
    threads: request.threads,
    signal: request.signal,
    paths: new Set(await tree.paths()),
    doubted,
    readOther: async (path) => {
      const entry = await tree.find(path);
      return entry.kind === "file" ? decode(entry.bytes) : { why: `it is ${entry.kind}` };
    },
    onProgress: (progress) => request.onProgress({ kind: "reviewing", ...progress }),
  });
  const outcomes = [...others, await reviewTests(subject, blobs, request.signal)];
  const checker = new CitationChecker(tree);
  let done = 0;
  const check = async (findings: readonly Finding[]) => {
    const hear = () => request.onProgress({ kind: "checking", done: ++done });
    return (await checker.checkAll(findings, hear)).map(identified);
  };
  const { known, ignored } = readKnownFindings(place);
  const { parts, notes } = await checkParts(
    outcomes,
    reports,
    [...subject.files, ...doubted],
    check,
    ({ identity }) => isSilenced(known, identity),
  );
  const contexts = new ContextReader(tree);
  const { repository, base, head, range } = subject;
  const report = await makeReport({
    kind: request.kind,
    nonce,
    subject: { repository, base, head, range },
    parts: parts.map(({ part }) => part),
    gaps: [
      ...unheardGaps(reports),
      ...onlyRemoved(subject),
      ...disguised,
      ...subject.gaps,
      ...unread,
      ...gaps,
      ...outcomes.flatMap(({ gaps }) => gaps),
    ],
    coverage: {
      files: subject.files.length + subject.gaps.length,
      covered: subject.files.length - unlooked(subject, unread, outcomes, foreign),
    },
    isCancelled: request.signal.aborted,
    known,
    notes: [...uncommitted, ...notes, ...ignoredNote(ignored)],
    contextOf: (finding) => contexts.around(finding),
  });
  return { report, parts, unreadable };
}

/** A file that a reviewer passed over or failed on is not covered, whoever else read it; nor is code that no reviewer of code reads. */
function unlooked(
  { files }: Subject,
  unread: readonly Gap[],
  outcomes: readonly BuiltInOutcome[],
  foreign: readonly string[],
): number {
  const missed = new Set([
    ...foreign,
    ...unread.map(({ what }) => what),
    ...outcomes.flatMap((outcome) => outcome.missed),
  ]);
  return files.filter(({ path }) => missed.has(path)).length;
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
  const what = lines === 1 ? "1 line carries" : `${lines} lines carry`;
  return [`dismissed before: ${what} no valid signature of yours; nothing is silenced by it`];
}

/** What every reviewer was given, by the contents' ids, so that nobody can say later it was something else. */
function inputOf({ head, base, files, passedByName }: Subject): string {
  const contents = [...files, ...passedByName].map(({ path, blob }) => [path, blob]);
  return `${JSON.stringify({ head, base, files: contents })}\n`;
}

/** What a change took away or renamed, for those who still speak of it. */
export function removedBy({ deleted, renamed }: Subject): Removed {
  return {
    deleted: new Map(deleted.flatMap(({ path, oldBlob }) => (oldBlob ? [[path, oldBlob]] : []))),
    renamed,
  };
}
