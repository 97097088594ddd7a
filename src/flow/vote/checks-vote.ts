import { parseJson } from "../../base/index.ts";
import { Repository } from "../../repo/index.ts";
import { CompletionDocument } from "../../schema/completion.ts";
import { type Refusal, refuse } from "../../view/index.ts";
import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { RUNTIME } from "../talk/bus.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { readConfig } from "../workflow-config.ts";
import { type Ballot, type Cast, castVote } from "./cast-vote.ts";
import { type MeasuredTests, measureTests } from "./measure/measure-tests.ts";
import type { Review } from "./read-reviews.ts";

const DOCUMENT_BYTES_MAX = 64 << 20;
const COMMIT = /^git:([0-9a-f]{40}(?:[0-9a-f]{24})?)$/;
const LINEAGE = /^from ([0-9a-f]{40}(?:[0-9a-f]{24})?)$/;
/** What the runtime's vote says decided it. */
const CHECK = "tests";

/** Where the checks vote. */
export interface CheckBooth {
  readonly place: Place;
  readonly source: CheckSource;
  readonly onStep: (words: string) => void;
}

/**
 * Has the runtime's own checks take a quality seat: the tests are run twice more on what is proposed,
 * sealed off, and what they come to is the vote. Where they come to nothing there is none.
 */
export async function voteByChecks(
  { place, source, onStep }: CheckBooth,
  review: Review,
): Promise<Cast | Refusal> {
  if (review.phase !== "REVIEW") {
    const { completion_id, phase } = review;
    return refuse("ORDER_GUARD", `${completion_id} is in ${phase}, not in REVIEW`);
  }
  const document = documentOf(place, review.body.digest);
  const change = changeIn(document);
  if (change === undefined) {
    return refuse("EVIDENCE_GUARD", `${document.artifact} is no commit that tests could run on`);
  }
  const { env = {}, signal } = source;
  const repository = await Repository.open(source.repository, { env, signal });
  try {
    const settings = readConfig(repository.root).work;
    const about = { ...change, settings, env, state: place.state, signal, onStep };
    const ballot = ballotOf(await measureTests({ repository, ...about }), document);
    if ("kind" in ballot) return ballot;
    const evidence = [`sha256:${review.body.digest}`];
    const booth = { place, trace: review.trace, author: RUNTIME, source };
    return await castVote(booth, review.completion_id, { ...ballot, evidence });
  } finally {
    repository.close();
  }
}

/** The document that is voted on, as it was stored; its hash is checked. */
export function documentOf(place: Place, digest: string): CompletionDocument {
  const text = soundText(place, digest);
  return CompletionDocument.parse(parseJson(text, DOCUMENT_BYTES_MAX));
}

/** The two commits that a document is about; undefined where it is about something else. */
export function changeIn({
  artifact,
  provenance,
}: CompletionDocument): { before: string; after: string } | undefined {
  const after = COMMIT.exec(artifact)?.[1];
  if (after === undefined) return undefined;
  return { before: LINEAGE.exec(provenance.lineage)?.[1] ?? after, after };
}

function ballotOf(
  { facts, spent }: MeasuredTests,
  { tests: proposed }: CompletionDocument,
): Omit<Ballot, "evidence"> | Refusal {
  const { tests, reproducibility: again, unknown } = facts;
  const of = { focus: [CHECK], check: CHECK } as const;
  const no = (rationale: string, fix: string) =>
    ({ ...of, vote: "red" as const, rationale, fix }) satisfies Omit<Ballot, "evidence">;
  if (again?.isSame === false) {
    return no(`${again.differs}.`, "Make the tests come to the same each time.");
  }
  if (tests === undefined) {
    return refuse("EVIDENCE_GUARD", `the checks have no vote: ${unknown?.tests ?? "nothing ran"}`);
  }
  const { passed, failed } = tests;
  if (failed > 0) return no(`${failed} of ${passed + failed} tests fail.`, "Make them pass.");
  if (passed === 0) return refuse("EVIDENCE_GUARD", "the checks have no vote: no test was run");
  if (proposed !== null && proposed.passed !== passed) {
    const words = `${passed} tests pass, and the proposal says ${proposed.passed}.`;
    return no(words, "Propose it again.");
  }
  return { ...of, vote: "green", rationale: `${passed} tests pass, the same each time: ${spent}.` };
}
