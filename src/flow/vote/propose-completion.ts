import { canonicalize, type Json, nextHlc, SwornError, sha256Hex } from "../../base/index.ts";
import { redactJson } from "../../scan/classify/index.ts";
import { requirementIds } from "../../scan/requirement/index.ts";
import { CompletionDocument, type JudgedItem } from "../../schema/completion.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { Refusal } from "../../view/index.ts";
import {
  type CompletionRequest,
  floatingIn,
  isImmutableAddress,
  judgeDone,
  type Moment,
  makeDocument,
} from "../../vote/index.ts";
import { keepCount, openDueBeat, recorderVoice } from "../beat/beat-voice.ts";
import type { Place } from "../place.ts";
import { Recorder } from "../record/recorder.ts";
import { type Author, actorOf, RUNTIME } from "../talk/bus.ts";
import { issueWords } from "../words/issue-words.ts";

/** A completion that was recorded, as a draft or for review. */
export interface Proposed {
  readonly completion_id: string;
  readonly digest: string;
  readonly phase: "DRAFT" | "REVIEW";
  readonly done: readonly JudgedItem[];
}

/**
 * Works the definition of done out from what is known, puts all that is said of the work into one
 * document, and records it. While anything is not done it is a draft that nobody can vote on.
 *
 * @throws SwornError `INPUT_INVALID` when an address could come to mean something else, or a part
 * has no right form.
 */
export async function proposeCompletion(
  place: Place,
  trace: string,
  author: Author,
  asked: CompletionRequest,
): Promise<Proposed | Refusal> {
  assertImmutable(asked);
  const done = judgeDone(asked.facts, asked.deferred);
  let digest: string;
  const recorder = Recorder.resume(place, trace);
  try {
    const moment = await momentOf(place, recorder, asked);
    const text = `${canonicalize(documentOf(asked, done, moment))}\n`;
    assertNoneFloats(text);
    digest = sha256Hex(text);
    const request = requestOf(asked, author, done, { text, digest, dueBeat: moment.dueBeat });
    const requests = [request, tellingOf(asked, done)];
    const { refusal } = await recorder.record(requests, { artifactRoots: [] });
    if (refusal) return refusal;
  } finally {
    recorder.close();
  }
  const isDraft = done.some(({ state }) => state === "not-done");
  return {
    completion_id: asked.completionId,
    digest,
    phase: isDraft ? "DRAFT" : "REVIEW",
    done,
  };
}

function assertImmutable({ artifact, facts, specLinks = [] }: CompletionRequest): void {
  const addresses = [artifact, ...specLinks, ...(facts.traceability?.addresses ?? [])];
  const floating = addresses.find((address) => !isImmutableAddress(address));
  if (floating !== undefined) throw mayChange(floating);
}

/** Wherever an address stands in it, in a reason or a risk too; what is no address names nothing. */
function assertNoneFloats(document: string): void {
  for (const floating of floatingIn(document)) throw mayChange(floating);
}

function mayChange(floating: string): SwornError {
  return new SwornError(
    "INPUT_INVALID",
    `"${floating.slice(0, 200)}" may come to mean something else, expected a commit (git:…), a hash (sha256:…), or an address with one of them`,
  );
}

/** When it is proposed, by the beats of its trace; whoever asks for votes in beats has one opened. */
async function momentOf(
  place: Place,
  recorder: Recorder,
  { dueBeats, scope, specLinks = [], facts }: CompletionRequest,
): Promise<Moment> {
  const voice = recorderVoice(place, recorder);
  if (dueBeats === undefined) await keepCount(voice);
  else await openDueBeat(voice, { phase: "review" });
  const { beat } = voice.cadence();
  const at = new Date(place.clock()).toISOString();
  if (beat === undefined) return { at, keys: null, dueBeat: undefined };
  const { beat_index, window_id } = beat;
  const named = [...scope, ...specLinks, facts.diff?.why ?? ""].flatMap((line) =>
    requirementIds(line),
  );
  const keys = { hlc: nextHlc(recorder.hlc, place.clock()), beat_index, window_id };
  return {
    at,
    keys: { ...keys, goal_ids: [...new Set(named)] },
    dueBeat: dueBeats === undefined ? undefined : beat_index + dueBeats,
  };
}

/** A document is handed on with the record, and nothing can be taken out of it later. */
function documentOf(
  asked: CompletionRequest,
  done: readonly JudgedItem[],
  moment: Moment,
): CompletionDocument {
  const document = JSON.parse(JSON.stringify(makeDocument(asked, done, moment))) as Json;
  const parsed = CompletionDocument.safeParse(redactJson(document).value);
  if (parsed.success) return parsed.data;
  const words = issueWords(parsed.error.issues, { shape: CompletionDocument, input: document });
  throw new SwornError("INPUT_INVALID", `the completion: ${words}`);
}

/** Reviewers and owners hear of it where they listen. */
function tellingOf(asked: CompletionRequest, done: readonly JudgedItem[]): EventRequest {
  const lacking = done.filter(({ state }) => state === "not-done").map(({ item }) => item);
  const what =
    lacking.length === 0 ? "is up for review" : `is a draft, and lacks ${lacking.join(", ")}`;
  const text = `${asked.completionId} (${asked.artifact}) ${what}.`;
  return { actor: actorOf(RUNTIME), type: "message_posted", body: { kind: "REVIEW", text } };
}

function requestOf(
  asked: CompletionRequest,
  author: Author,
  done: readonly JudgedItem[],
  document: {
    readonly text: string;
    readonly digest: string;
    readonly dueBeat: number | undefined;
  },
): EventRequest {
  const { dueBeat } = document;
  const deferred = done.flatMap(({ item, decision_id }) =>
    decision_id === undefined ? [] : [{ item, decision_id }],
  );
  return {
    actor: actorOf(author),
    type: "completion_proposed",
    body: {
      completion_id: asked.completionId,
      artifact: asked.artifact,
      subject: asked.subject,
      digest: document.digest,
      authors: asked.authors.map(({ agent, family }) =>
        family === undefined ? { agent } : { agent, family },
      ),
      undone: done.filter(({ state }) => state === "not-done").map(({ item }) => item),
      ...(deferred.length === 0 ? {} : { deferred }),
      ...(dueBeat === undefined ? {} : { due_beat: dueBeat }),
      ...(asked.revises === undefined ? {} : { revises: asked.revises }),
    },
    artifacts: [
      {
        name: `completion-${asked.completionId}`.slice(0, 64),
        text: document.text,
        media_type: "application/json",
      },
    ],
  };
}
