import { existsSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { admit } from "../../admit/index.ts";
import { ensureFolder, parseJson, SwornError } from "../../base/index.ts";
import { loadPolicies } from "../../policy/index.ts";
import { manifestBytes } from "../../run/manifest/index.ts";
import { awaitingReview } from "../../scan/classify/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import { type Entry, type RequestedArtifact, TraceId } from "../../schema/index.ts";
import { Manifest } from "../../schema/manifest.ts";
import { findExceptions, standing } from "../exception/standing-exceptions.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy/policy-source.ts";
import { soundBytes } from "../trace/artifact-bytes.ts";
import { soundEntries } from "../trace/sound-entries.ts";
import { documents } from "./ended-run.ts";
import { type ExecRefusal, refusalOf } from "./exec-outcome.ts";
import { CLEARANCE, ExecRecord, json, PARTS } from "./exec-record.ts";
import { assertHeld, dropHeld, handOver, heldFolder, reapHeld } from "./held-output.ts";
import { WAITING_NAME, Waiting } from "./hold-run.ts";
import { keepManifest, signRun } from "./keep-manifest.ts";
import { recordClearance } from "./record-clearance.ts";

const WAITING_BYTES_MAX = 256 * (1 << 20);
const GIVEN_BYTES_MAX = 65_536;
/** What the run's record has of a reviewer's word. */
const Given = z.object({ trace: TraceId });

/** A reviewer's word on a run that waits. */
export interface ReviewerWord {
  readonly reviewer: string;
  readonly why: string;
  readonly isCleared: boolean;
  /** Where the output goes; must not exist or be empty. Without it the output is taken away. */
  readonly out: string | undefined;
}

/** What came of it. */
export type ClearOutcome =
  | { readonly kind: "refused"; readonly refusal: ExecRefusal }
  | { readonly kind: "ended"; readonly clearance: string }
  | { readonly kind: "cleared"; readonly clearance: string; readonly manifestPath: string };

/**
 * Finds a run whose output waits for a reviewer, and what it waits with. Only a sound record of this
 * user's own is believed: it says what is going to be signed.
 *
 * @throws SwornError `NOT_FOUND` when it does not wait, `LEDGER_CORRUPT` when it is not believed.
 */
export async function readWaiting(place: Place, trace: string): Promise<Waiting> {
  reapHeld(place);
  const { waiting, isEnded } = await readAsked(place, trace);
  if (isEnded) throw noneWaits(trace);
  return waiting;
}

function noneWaits(trace: string): SwornError {
  return new SwornError("NOT_FOUND", `${trace} does not wait for a reviewer; see "sworn trace ls"`);
}

async function readAsked(place: Place, trace: string) {
  const { entries, isEnded } = await soundEntries(place, trace);
  const asked = entries.some(
    ({ type, body }) => type === "question_asked" && body.question_id === CLEARANCE,
  );
  const hash = entries
    .flatMap(({ artifacts }) => artifacts)
    .find(({ name }) => name === WAITING_NAME);
  if (!asked || hash === undefined) throw noneWaits(trace);
  const waiting = Waiting.parse(parseJson(textOf(place, hash.hash), WAITING_BYTES_MAX));
  const answer = entries.find(
    ({ type, body }) => type === "question_answered" && body.question_id === CLEARANCE,
  );
  return { waiting, isEnded, answer };
}

function textOf(place: Place, hash: string): string {
  return Buffer.concat([...soundBytes(place, hash)]).toString("utf8");
}

/**
 * Takes a reviewer's word: with a yes, the policies are asked again, the manifest is signed and the
 * output handed over; with a no, the run does not count. Either way nothing waits any longer.
 *
 * @throws SwornError when the run does not wait, or its output is gone or was changed.
 */
export async function clearRun(
  place: Place,
  trace: string,
  word: ReviewerWord,
): Promise<ClearOutcome> {
  reapHeld(place);
  const { waiting, isEnded, answer: said } = await readAsked(place, trace);
  if (isEnded) return goOn(place, trace, waiting.held, said, word);
  const { requester } = waiting.facts;
  if ([requester, ...PARTS].includes(word.reviewer)) {
    return { kind: "refused", refusal: noReviewer(word.reviewer, requester) };
  }
  if (!word.isCleared) return endWaiting(place, trace, waiting, word);
  assertHeld(place, trace, waiting.held);
  const decision = await decideAgain(place, waiting, word.reviewer);
  if (decision.decision !== "allow") return { kind: "refused", refusal: refusalOf(decision) };
  // A folder that cannot be made is found out before anything is on record.
  if (word.out !== undefined) ensureFolder(word.out);
  const manifest = admitted(waiting.manifest, decision);
  const clearance = await recordWord(place, trace, waiting, word);
  const note = await signRun(place, manifest);
  await answer(place, trace, word, clearance, {
    summary: waiting.summary,
    artifacts: documents(manifest, note, decision),
  });
  const manifestPath = keepManifest(place, trace, manifest, note);
  // Last: what the caller finds there is on record.
  if (word.out !== undefined) handOver(place, trace, waiting.held, word.out);
  dropHeld(place, trace);
  return { kind: "cleared", clearance, manifestPath };
}

/** Hands over what was cleared, where the disk or a crash came between its record and its folder. */
function goOn(
  place: Place,
  trace: string,
  held: Waiting["held"],
  said: Entry | undefined,
  { isCleared, out }: ReviewerWord,
): ClearOutcome {
  const hashOf = (wanted: string) => said?.artifacts.find(({ name }) => name === wanted)?.hash;
  const [signed, note] = [hashOf("manifest.json"), hashOf("manifest.note")];
  const clearance = hashOf("clearance.json");
  const isThere = existsSync(heldFolder(place, trace));
  if (!isCleared || out === undefined || !isThere || !signed || !note || !clearance) {
    throw noneWaits(trace);
  }
  assertHeld(place, trace, held);
  const manifest = Manifest.parse(parseJson(textOf(place, signed), WAITING_BYTES_MAX));
  const word = Given.parse(parseJson(textOf(place, clearance), GIVEN_BYTES_MAX));
  const manifestPath = keepManifest(place, trace, manifest, textOf(place, note));
  handOver(place, trace, held, out);
  dropHeld(place, trace);
  return { kind: "cleared", clearance: word.trace, manifestPath };
}

function noReviewer(name: string, requester: string): ExecRefusal {
  const who = name === requester ? "had it made" : "is a part of the runtime";
  return { rule: "S.3", reason: `${name} ${who}; somebody else has to look at it` };
}

async function endWaiting(place: Place, trace: string, waiting: Waiting, word: ReviewerWord) {
  const clearance = await recordWord(place, trace, waiting, word);
  await answer(place, trace, word, clearance, undefined);
  dropHeld(place, trace);
  return { kind: "ended" as const, clearance };
}

/** The reviewer's word holds for exactly the bytes that were flagged; all else is judged as before. */
async function decideAgain(
  place: Place,
  { facts, flagged }: Waiting,
  reviewer: string,
): Promise<AdmissionDecision> {
  const files = flagged.map((file) => ({ ...file, isFlagged: true, isBlocking: false }));
  const clearances = flagged.map(({ sha256 }) => ({ sha256, reviewer }));
  const left = awaitingReview(files, facts.requester, clearances).map(({ path }) => path);
  const output = "output" in facts ? { ...facts.output, unreviewed_flags: left } : undefined;
  const policies = await loadPolicies(policySource(place.state, [dirname(place.store)]));
  try {
    const exceptions = standing(await findExceptions(place));
    return await admit({ ...facts, output }, policies, exceptions, place.clock);
  } finally {
    await policies.close();
  }
}

function admitted(manifest: Manifest, decision: AdmissionDecision): Manifest {
  return {
    ...manifest,
    policy: {
      digest: decision.policy_digest,
      decision: decision.decision,
      matched: decision.matched,
      exceptions: decision.exceptions.map(({ id }) => id),
    },
  };
}

function recordWord(
  place: Place,
  run: string,
  { facts, manifest }: Waiting,
  { reviewer, isCleared, why }: ReviewerWord,
): Promise<string> {
  return recordClearance(place, {
    run,
    requester: facts.requester,
    reviewer,
    isCleared,
    why,
    // In the bytes that the run's own record has, so that one hash stands for both.
    manifest: {
      name: "manifest.json",
      text: manifestBytes(manifest).toString(),
      media_type: "application/json",
    },
  });
}

async function answer(
  place: Place,
  trace: string,
  { reviewer, why, isCleared }: ReviewerWord,
  clearance: string,
  counts: { summary: string; artifacts: readonly RequestedArtifact[] } | undefined,
): Promise<void> {
  const record = new ExecRecord(place, trace);
  try {
    const said = isCleared ? "cleared" : "refused";
    const words = `${reviewer} ${said} the output (${clearance}): ${why}`;
    const { key } = await place.keyring.ensure(reviewer);
    const document = { reviewer, key, said, trace: clearance };
    await record.answered(words, counts, json("clearance.json", document));
  } finally {
    record.close();
  }
}
