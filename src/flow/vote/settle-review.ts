import { countedVotes, countVotes, quorumGaps, type Refusal, verdictOf } from "../../view/index.ts";
import { cut } from "../record/entry-text.ts";
import type { Recorder } from "../record/recorder.ts";
import { type Author, actorOf, RUNTIME } from "../talk/bus.ts";

const WORDS = {
  consensus: "The votes pass.",
  converge: "The votes do not pass: each reviewer may vote once more.",
};

/**
 * Moves a review where its votes lead without anybody's decision: to consensus where they pass, to
 * one more round where they do not. Whatever the votes say, the ledger's own guard is asked as well.
 */
export async function settleReview(
  recorder: Recorder,
  id: string,
): Promise<"consensus" | "converge" | null> {
  const session = recorder.session;
  const completion = session?.completions.get(id);
  if (!session || completion?.phase !== "REVIEW") return null;
  const votes = countedVotes(session, completion);
  if (quorumGaps(votes).length > 0) return null;
  const reds = session.subjects.get(completion.subject)?.reds.size ?? 0;
  const isPassing = reds === 0 && verdictOf(countVotes(votes)) === "pass";
  if (!isPassing && completion.isConverged) return null;
  const to = isPassing ? "consensus" : "converge";
  const refusal = await moveReview(recorder, RUNTIME, { completion_id: id, to, reason: WORDS[to] });
  // Another process may have been faster; what it did stands.
  return refusal === undefined ? to : null;
}

/** Where a review is moved, and why. */
export interface Move {
  readonly completion_id: string;
  readonly to: "converge" | "disagreement" | "consensus" | "submitted" | "merged" | "rejected";
  readonly reason: string;
  readonly decision_id?: string | undefined;
  readonly by_duo?: true | undefined;
}

/** Records a move of the completion as it stands; the refusal where the rules do not allow it. */
export async function moveReview(
  recorder: Recorder,
  author: Author,
  { completion_id, to, reason, decision_id, by_duo }: Move,
): Promise<Refusal | undefined> {
  const digest = recorder.session?.completions.get(completion_id)?.digest ?? "0".repeat(64);
  const body = {
    ...{ completion_id, digest, to, reason: cut(reason) },
    ...(decision_id === undefined ? {} : { decision_id }),
    ...(by_duo === undefined ? {} : { by_duo }),
  };
  const request = { actor: actorOf(author), type: "review_moved" as const, body };
  return (await recorder.record([request], { artifactRoots: [] })).refusal;
}
