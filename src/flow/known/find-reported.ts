import { existsSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../../base/index.ts";
import { ReviewReport } from "../../schema/review.ts";
import type { Place } from "../place.ts";
import { soundBytes } from "../trace/artifact-bytes.ts";
import { readTrace } from "../trace/look.ts";
import { isOwnSigner } from "../trace/own-signer.ts";
import { verifyLocal } from "../trace/verify-target.ts";

/** A finding as a recorded review reported it. */
export interface Reported {
  readonly trace: string;
  readonly identity: string;
  /** For people: id, title, place. */
  readonly about: string;
}

const IDENTITY_CHARS_MIN = 8;
const ABOUT_CHARS_MAX = 1_000;

/**
 * Opens the latest review, or the one that is named, to find findings in it by id (`SEC-001`) or by
 * the beginning of their identity. The report is read from the record, not from the files beside it,
 * which anybody may have changed since; and only from a sound record of this user's own, because
 * what `SEC-001` means is what the person is about to sign.
 *
 * @throws SwornError `NOT_FOUND` where there is no such review, `INPUT_INVALID` for another's record;
 * what is given throws `NOT_FOUND` when no finding fits or several do.
 */
export async function openReported(
  place: Place,
  from?: string,
): Promise<(wanted: string) => Reported> {
  const review = from === undefined ? latestReview(place) : named(place, from);
  await assertOwn(place, review.trace);
  return (wanted) => findIn(review, wanted);
}

function findIn({ trace, findings }: Review, wanted: string): Reported {
  const isIdentity = wanted.length >= IDENTITY_CHARS_MIN && /^[0-9a-f]+$/.test(wanted);
  const fitting = findings.filter(
    ({ finding, identity }) =>
      finding.id.toLowerCase() === wanted.toLowerCase() ||
      (isIdentity && identity.startsWith(wanted)),
  );
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) {
    return { trace, identity: only.identity, about: aboutOf(only) };
  }
  const found =
    fitting.length === 0
      ? `it has ${findings.length === 0 ? "no findings" : namesOf(findings)}`
      : `several are called so: ${namesOf(fitting)}; name one by the hex digits`;
  throw new SwornError("NOT_FOUND", `no single finding "${wanted}" in review ${trace}: ${found}`);
}

type Finding = ReviewReport["findings"][number];
const NAMED_MAX = 10;

function namesOf(findings: readonly Finding[]): string {
  const named = findings
    .slice(0, NAMED_MAX)
    .map(({ finding, identity }) => `${finding.id} (${identity.slice(0, IDENTITY_CHARS_MIN + 4)})`);
  const rest = findings.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}

function aboutOf({ finding, found }: Finding): string {
  const [cited] = finding.citations;
  const place = `${found?.file ?? cited?.file ?? "?"}:${found?.line ?? cited?.line ?? "?"}`;
  return `${finding.id} ${finding.title} in ${place}`.toWellFormed().slice(0, ABOUT_CHARS_MAX);
}

async function assertOwn(place: Place, trace: string): Promise<void> {
  const { status, signer } = await verifyLocal(place, trace, {
    profile: "default",
    mode: "full",
    threads: place.threads,
  });
  if (status !== "fail" && signer !== null && isOwnSigner(place, signer)) return;
  const what = status === "fail" ? "does not verify" : "was recorded with a key that is not yours";
  const next = 'review again, or name a review of yours with --from; see "sworn trace ls"';
  throw new SwornError("INPUT_INVALID", `the record ${trace} ${what}; ${next}`);
}

interface Review {
  readonly trace: string;
  readonly findings: ReviewReport["findings"];
}

function named(place: Place, from: string): Review {
  const trace = place.find(from);
  const report = reportOf(place, trace);
  if (report !== undefined) return { trace, findings: report.findings };
  throw new SwornError(
    "NOT_FOUND",
    `${trace} holds no report: it is no review, or it was broken off; see "sworn trace ls"`,
  );
}

/** The last one that came to its end, of those that were written here: a store can be brought along. */
function latestReview(place: Place): Review {
  const reviews = place
    .traces()
    .filter((trace) => existsSync(join(place.store, "reviews", trace)))
    .filter((trace) => place.heads(trace).isUsed())
    .toSorted();
  for (const trace of reviews.toReversed()) {
    const report = reportOf(place, trace);
    if (report !== undefined) return { trace, findings: report.findings };
  }
  throw new SwornError(
    "NOT_FOUND",
    `no review is recorded in ${place.store}; run "sworn review" or "sworn audit" first`,
  );
}

function reportOf(place: Place, trace: string): ReviewReport | undefined {
  const artifacts = readTrace(place, trace).flatMap((entry) => entry.artifacts);
  const hash = artifacts.findLast(({ name }) => name === "report.json")?.hash;
  if (hash === undefined) return undefined;
  const text = Buffer.concat([...soundBytes(place, hash)]).toString("utf8");
  return ReviewReport.parse(JSON.parse(text));
}
