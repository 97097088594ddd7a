import { Repository } from "../../repo/index.ts";
import { type Refusal, refuse } from "../../view/index.ts";
import type { CheckSource } from "../check.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../recorder.ts";
import { type Author, RUNTIME } from "../talk/bus.ts";
import { changeIn, documentOf } from "./checks-vote.ts";
import type { Review } from "./read-reviews.ts";
import { moveReview } from "./settle-review.ts";

const REASON_CHARS_MAX = 4_000;

/** Says that agreed work was handed over. Where it was said before, nothing is said again. */
export async function submitReview(
  place: Place,
  { trace, completion_id }: Pick<Review, "trace" | "completion_id">,
  reason: string,
): Promise<Refusal | undefined> {
  const recorder = Recorder.resume(place, trace);
  try {
    if (recorder.session?.completions.get(completion_id)?.phase !== "CONSENSUS") return undefined;
    return await moveReview(recorder, RUNTIME, { completion_id, to: "submitted", reason });
  } finally {
    recorder.close();
  }
}

/** How a review ends for good. */
export type ReviewEnd = "merged" | "rejected";

/**
 * Ends a review. A person says that work is rejected; that it is merged is looked up: its commit, or
 * every file as the work left it, is in what is checked out.
 */
export async function endReview(
  place: Place,
  author: Author,
  review: Review,
  about: { readonly to: ReviewEnd; readonly reason: string; readonly source: CheckSource },
): Promise<ReviewEnd | Refusal> {
  const { to, source } = about;
  const missing = to === "merged" ? await whyNotMerged(place, review, source) : undefined;
  if (missing !== undefined) return refuse("EVIDENCE_GUARD", missing);
  const recorder = Recorder.resume(place, review.trace);
  try {
    const by = to === "merged" ? RUNTIME : author;
    const reason = about.reason.slice(0, REASON_CHARS_MAX);
    const { completion_id } = review;
    return (await moveReview(recorder, by, { completion_id, to, reason })) ?? to;
  } finally {
    recorder.close();
  }
}

async function whyNotMerged(
  place: Place,
  { body }: Review,
  { repository: folder, env, signal }: CheckSource,
): Promise<string | undefined> {
  const change = changeIn(documentOf(place, body.digest));
  if (change === undefined) return `${body.artifact} is no commit that could be merged`;
  const repository = await Repository.open(folder, { env, signal });
  try {
    const head = await repository.resolveCommit("HEAD");
    const { base } = await repository.resolveRange(`${change.after}...${head}`);
    if (base.commit === change.after) return undefined;
    for await (const { path } of repository.changedFiles(change.before, change.after)) {
      const [ours, theirs] = await Promise.all([
        repository.blobAt(head, path),
        repository.blobAt(change.after, path),
      ]);
      if (ours?.blob !== theirs?.blob) {
        return `${change.after.slice(0, 12)} is not in what is checked out here (${head.slice(0, 12)}): ${path} differs; merge it first`;
      }
    }
    return undefined;
  } finally {
    repository.close();
  }
}
