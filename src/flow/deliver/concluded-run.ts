import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Json, messageOf, parseJson, readPlainFile, SwornError } from "../../base/index.ts";
import { verifyManifest } from "../../run/manifest/index.ts";
import type { Entry } from "../../schema/index.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { ExecRefusal } from "../exec/exec-outcome.ts";
import { POLICY } from "../exec/exec-record.ts";
import { MANIFEST_BYTES_MAX, manifestPath } from "../exec/find-run.ts";
import { WAITING_NAME, Waiting } from "../exec/hold-run.ts";
import type { Place } from "../place.ts";
import { soundText } from "../trace/artifact-bytes.ts";
import { soundEntries } from "../trace/sound-entries.ts";

const NOTE_BYTES_MAX = 65_536;
const DOCUMENT_BYTES_MAX = 256 * (1 << 20);

/** A run that counts: its manifest as it was signed, and the facts that it was admitted by. */
export interface ConcludedRun {
  readonly trace: string;
  readonly manifest: Manifest;
  readonly manifestBytes: Buffer;
  readonly digest: string;
  readonly note: string;
  /** The policy engine's key that signed it. */
  readonly signer: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Hashes of flagged files that a reviewer let go out. */
  readonly cleared: ReadonlySet<string>;
}

/**
 * Reads a run and holds it against its own record. Whatever is not as the policy engine signed it,
 * or was never let through, is a refusal: nothing of it is handed over.
 *
 * @throws SwornError `NOT_FOUND` when the trace is no run.
 */
export async function readConcludedRun(
  place: Place,
  trace: string,
): Promise<ConcludedRun | ExecRefusal> {
  const path = manifestPath(place, trace);
  if (!existsSync(path)) {
    throw new SwornError("NOT_FOUND", `${trace} is no sealed run; "sworn trace ls" lists others`);
  }
  const notePath = join(path, "..", "manifest.note");
  if (!existsSync(notePath))
    return unsigned(
      `${trace} did not count, or waits for "sworn clear": nobody signed its manifest`,
    );
  const bytes = readPlainFile(path, MANIFEST_BYTES_MAX, "refuse");
  const note = readPlainFile(notePath, NOTE_BYTES_MAX, "refuse").toString();
  const verified = verifyWithOwnKeys(place, bytes, note);
  if ("reason" in verified) return verified;
  const { manifest, digest, signer } = verified;
  if (manifest.policy.decision !== "allow") return unsigned(`the policies denied ${trace}`);
  const entries = await believed(place, trace);
  if ("reason" in entries) return entries;
  const recorded = onRecord(place, entries, digest);
  return recorded === undefined
    ? unsigned(`the manifest beside ${trace} is not the one on its record`)
    : { trace, manifest, manifestBytes: bytes, digest, note, signer, ...recorded };
}

/** A record made with other keys could say anything about a manifest of ours, its facts above all. */
async function believed(place: Place, trace: string): Promise<readonly Entry[] | ExecRefusal> {
  try {
    return (await soundEntries(place, trace)).entries;
  } catch (error) {
    return unsigned(`the record of ${trace} is not believed: ${messageOf(error)}`);
  }
}

function unsigned(reason: string): ExecRefusal {
  return {
    rule: "A.3",
    reason: `${reason}; only a run that the policy engine signed is delivered`,
  };
}

/** Earlier keys of ours signed as well; a revoked one is believed no more. */
function verifyWithOwnKeys(place: Place, bytes: Buffer, note: string) {
  const keys = place.keyring
    .list()
    .filter(({ agent, status }) => agent === POLICY.agent && status !== "revoked");
  let why = "there is no key of the policy engine here";
  for (const key of keys) {
    const verdict = verifyManifest(bytes, note, key.public);
    if (verdict.isValid) return { ...verdict, signer: key.public };
    why = verdict.reason;
  }
  return unsigned(`the manifest does not verify: ${why}`);
}

/** The facts by which the very run was admitted that left this manifest, and what was cleared of it. */
function onRecord(
  place: Place,
  entries: readonly Entry[],
  digest: string,
): Pick<ConcludedRun, "facts" | "cleared"> | undefined {
  const has = (type: Entry["type"], name: string) =>
    entries.find((one) => one.type === type && named(one, name) !== undefined);
  const asked = has("tool_intent_signed", "facts.json");
  const ended = has("tool_execution_completed", "manifest.json");
  // A run that waited counts by the manifest that was signed when its output was cleared.
  const answered = has("question_answered", "manifest.json");
  const counting = answered ?? ended;
  if (asked === undefined || ended === undefined || counting === undefined) return undefined;
  if (named(counting, "manifest.json") !== digest) return undefined;
  const facts = read(place, named(asked, "facts.json") ?? "") as Record<string, unknown>;
  const waiting = answered && named(ended, WAITING_NAME);
  if (waiting === undefined) return { facts, cleared: new Set() };
  const { flagged } = Waiting.parse(read(place, waiting));
  return { facts, cleared: new Set(flagged.map(({ sha256 }) => sha256)) };
}

function named({ artifacts }: Entry, wanted: string): string | undefined {
  return artifacts.find(({ name }) => name === wanted)?.hash;
}

function read(place: Place, hash: string): Json {
  return parseJson(soundText(place, hash), DOCUMENT_BYTES_MAX);
}
