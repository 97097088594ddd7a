import { SwornError } from "../../base/index.ts";
import { type Body, EventRequest, type Vote } from "../../schema/index.ts";
import type { Mitigation } from "../../schema/vote.ts";
import { type Refusal, refuse, type Session } from "../../view/index.ts";
import { keepCount, recorderVoice } from "../beat/beat-voice.ts";
import type { CheckSource } from "../check/check.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { type Author, actorOf } from "../talk/bus.ts";
import { readTrace } from "../trace/look.ts";
import { issueWords } from "../words/issue-words.ts";
import { checkAnchors } from "./check-anchors.ts";
import { settleReview } from "./settle-review.ts";

/** What somebody says of a completion. Who says it is not in here. */
export interface Ballot {
  readonly vote: Vote;
  readonly focus: readonly string[];
  readonly rationale: string;
  /** As written: `src/a.ts:12`, a message, an artifact. */
  readonly evidence: readonly string[];
  readonly mitigations?: readonly Mitigation[] | undefined;
  readonly fix?: string | undefined;
  readonly family?: string | undefined;
  /** The program that decided; for the runtime alone. */
  readonly check?: string | undefined;
}

/** Where a vote is cast, by whom, and what its anchors are looked up in. */
export interface Booth {
  readonly place: Place;
  readonly trace: string;
  readonly author: Author;
  readonly source: CheckSource;
}

/** A vote that was recorded, and what the votes lead to by now. */
export interface Cast {
  readonly seq: number;
  /** Whether an earlier vote of the same voter was replaced. */
  readonly replaced: boolean;
  readonly moved: "consensus" | "converge" | null;
}

/**
 * Records a vote on a completion after its anchors were found in what is voted on, and moves the
 * review where the votes lead.
 *
 * @throws SwornError `INPUT_INVALID` for what has no right form, or what recording throws.
 */
export async function castVote(
  { place, trace, author, source }: Booth,
  completionId: string,
  ballot: Ballot,
): Promise<Cast | Refusal> {
  const recorder = Recorder.resume(place, trace);
  try {
    await keepCount(recorderVoice(place, recorder));
    const session = recorder.session;
    const completion = session?.completions.get(completionId);
    const artifact = completion && proposedArtifact(place, trace, completion.seq);
    if (!session || !completion || artifact === undefined) {
      return refuse("ORDER_GUARD", `there is no completion ${completionId}`);
    }
    const anchors = await checkAnchors(ballot.evidence, { session, artifact, source });
    if ("kind" in anchors) return anchors;
    const replaced = hasVoted(session, completionId, author.agent);
    const request = requestOf(author, {
      ...bodyOf(ballot),
      completion_id: completionId,
      digest: completion.digest,
      anchors,
      ...(replaced ? { replaces: true } : {}),
    });
    const { refusal } = await recorder.record([request], { artifactRoots: [] });
    if (refusal) return refusal;
    const seq = recorder.head.size - 1;
    return { seq, replaced, moved: await settleReview(recorder, completionId) };
  } finally {
    recorder.close();
  }
}

function bodyOf({ vote, focus, rationale, mitigations = [], fix, family, check }: Ballot) {
  return {
    vote,
    focus: [...focus],
    rationale,
    ...(mitigations.length === 0 ? {} : { mitigations: [...mitigations] }),
    ...(fix === undefined ? {} : { fix }),
    ...(family === undefined ? {} : { family }),
    ...(check === undefined ? {} : { check }),
  };
}

function hasVoted({ completions }: Session, id: string, agent: string): boolean {
  return completions.get(id)?.votes.has(agent) ?? false;
}

function requestOf(author: Author, body: Body<"vote_cast">): EventRequest {
  const request = { actor: actorOf(author), type: "vote_cast" as const, body };
  const parsed = EventRequest.safeParse(request);
  if (parsed.success) return request;
  const words = issueWords(parsed.error.issues, { shape: EventRequest, input: request });
  throw new SwornError("INPUT_INVALID", words);
}

function proposedArtifact(place: Place, trace: string, seq: number): string | undefined {
  const [entry] = readTrace(place, trace, seq);
  return entry?.type === "completion_proposed" ? entry.body.artifact : undefined;
}
