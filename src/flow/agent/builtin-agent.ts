import { randomBytes } from "node:crypto";
import type { BlobReader, Repository } from "../../repo/index.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import type { ReviewReport } from "../../schema/review.ts";
import { CitationChecker, identified, type SourceTree } from "../../verify/citation/index.ts";
import { sourceTree } from "../change/source-tree.ts";
import { runBuiltIn } from "../review/built-in.ts";
import { checkParts } from "../review/check-parts.ts";
import { ContextReader } from "../review/context.ts";
import { makeReport } from "../review/make-report.ts";
import { reportText } from "../review/report-text.ts";
import { removedBy } from "../review/review.ts";
import { reviewTests } from "../review/review-tests.ts";
import { decode, openSubject, type Subject, type Wanted } from "../review/subject.ts";

/** What the built-in reviewers are to look at. They read git's objects, and need no sandbox. */
export interface BuiltInRequest {
  readonly config: Extract<AgentConfig, { driver: "builtin" }>;
  /** Opened without the signal, what was found until that comes is still held against the source. */
  readonly repository: Repository;
  readonly wanted: Extract<Wanted, { kind: "change" | "tree" }>;
  readonly threads: number;
  readonly signal: AbortSignal;
}

/** Their work as a run's: what goes into `output.md`, and the same for programs. */
export interface BuiltInWork {
  readonly output: string;
  readonly report: ReviewReport;
}

/**
 * The built-in reviewers as an agent: what they find in a change or a tree, held against the source
 * like anybody's word. Nothing is recorded here, and nothing that a person dismissed is left out.
 *
 * @throws SwornError when there is no such change or tree.
 */
export async function runBuiltInAgent(request: BuiltInRequest): Promise<BuiltInWork> {
  const { repository } = request;
  const blobs = repository.openBlobs();
  try {
    const subject = await openSubject(repository, request.wanted);
    const tree = await sourceTree(repository, blobs, subject.head, removedBy(subject));
    const report = await reviewed(request, subject, tree, blobs);
    return { output: reportText(report), report };
  } finally {
    await blobs.close();
  }
}

async function reviewed(
  { config, threads, signal, wanted }: BuiltInRequest,
  subject: Subject,
  tree: SourceTree,
  blobs: BlobReader,
): Promise<ReviewReport> {
  const {
    outcomes: others,
    unread,
    gaps,
  } = await runBuiltIn(subject.files, blobs, {
    threads,
    signal,
    paths: new Set(await tree.paths()),
    readOther: async (path) => {
      const entry = await tree.find(path);
      return entry.kind === "file" ? decode(entry.bytes) : { why: `it is ${entry.kind}` };
    },
    onProgress: () => {},
  });
  const outcomes = [...others, await reviewTests(subject, blobs, signal)];
  const wished: readonly string[] | undefined = config.reviewers;
  const asked = outcomes.filter(({ name }) => wished === undefined || wished.includes(name));
  const checker = new CitationChecker(tree);
  const { parts, notes } = await checkParts(
    asked,
    [],
    subject.files,
    async (findings) => (await checker.checkAll(findings)).map(identified),
    () => false,
  );
  const contexts = new ContextReader(tree);
  const { repository, base, head, range } = subject;
  const missed = new Set([
    ...unread.map(({ what }) => what),
    ...asked.flatMap((one) => one.missed),
  ]);
  return makeReport({
    kind: wanted.kind === "tree" ? "audit" : "review",
    nonce: randomBytes(16).toString("hex"),
    subject: { repository, base, head, range },
    parts: parts.map(({ part }) => part),
    gaps: [...subject.gaps, ...unread, ...gaps, ...asked.flatMap((one) => one.gaps)],
    coverage: {
      files: subject.files.length + subject.gaps.length,
      covered: subject.files.filter(({ path }) => !missed.has(path)).length,
    },
    isCancelled: signal.aborted,
    known: new Map(),
    notes,
    contextOf: (finding) => contexts.around(finding),
  });
}
