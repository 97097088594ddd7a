import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { messageOf, SwornError, sha256Hex, syncFolder, ulid } from "../base/index.ts";
import { LocalLedger } from "../ledger/local.ts";
import { sealOff } from "../ledger/sqlite.ts";
import { GENESIS_PREV } from "../schema/index.ts";
import { salvageLines } from "../verify/index.ts";
import { RUNTIME_AGENT } from "./complete.ts";
import { type FsckOutcome, fsck } from "./fsck.ts";
import { sessionOf } from "./look.ts";
import type { Place } from "./place.ts";
import { openForReading } from "./reading.ts";
import { Recorder } from "./recorder.ts";

/** What recovering came to. */
export interface RecoverOutcome {
  readonly trace: string;
  /** `sound`: nothing to do. `needs-consent`: something is lost and nothing was changed. `recovered`: it goes on. */
  readonly kind: "sound" | "needs-consent" | "recovered";
  readonly entries: number;
  readonly state: string;
  /** The event types that the protocol allows next. */
  readonly next: readonly string[];
  readonly problems: readonly string[];
  /** Where the damaged files were put. */
  readonly kept?: string;
}

/**
 * Brings a trace back to its next valid step after a crash or damage. A sound trace is only looked
 * at. Where entries are lost, the longest prefix that still verifies goes on, but only with the
 * operator's consent, and the loss is written into the record; damaged files are kept aside.
 */
export async function recover(
  place: Place,
  trace: string,
  acceptLoss: boolean,
): Promise<RecoverOutcome> {
  const found = await fsck(place, trace);
  const problems = problemsOf(found);
  if (problems.length === 0) return { trace, kind: "sound", problems, ...standing(place, trace) };
  if (!acceptLoss)
    return {
      trace,
      kind: "needs-consent",
      entries: found.entries,
      state: "failed",
      next: [],
      problems,
    };
  const kept = await rebuild(place, trace, problems[0] ?? "damage");
  return { trace, kind: "recovered", problems, kept, ...standing(place, trace) };
}

/** Missing or altered artifacts are evidence lost, not a broken record: recovering cannot mend them. */
function problemsOf({ problems, report }: FsckOutcome): string[] {
  const broken = (report?.failures ?? []).filter(({ code }) => INTEGRITY_CODES.includes(code));
  return [...problems.map(({ message }) => message), ...broken.map(({ message }) => message)];
}

const INTEGRITY_CODES: readonly string[] = [
  "SCHEMA_INVALID",
  "HASH_MISMATCH",
  "CHAIN_BREAK",
  "SIG_INVALID",
  "SIG_MISSING",
  "KEY_UNKNOWN",
  "CHECKPOINT_INVALID",
  "TAIL_MISSING",
  "TAIL_UNSIGNED",
];

function standing(place: Place, trace: string) {
  const { session, next } = sessionOf(place, trace);
  return { entries: session.size, state: session.state, next };
}

async function rebuild(place: Place, trace: string, reason: string): Promise<string> {
  const lines = await salvageLines(readableLines(place, trace));
  if (lines.length === 0) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `${trace}: no entry can be read any more; restore the store from a backup. Nothing was changed`,
    );
  }
  const newest = newestOutsideNote(place, trace);
  const kept = setAside(place, trace);
  await refill(place, trace, lines);
  const recorder = Recorder.resume(place, trace);
  try {
    const body = {
      reason: `recovered after: ${reason}`.slice(0, 1_000),
      lost_size: newest.size,
      lost_checkpoint: newest.note,
    };
    const actor = { agent: RUNTIME_AGENT, role: "runtime" } as const;
    const { refusal } = await recorder.record([{ actor, type: "gap_recorded", body }], {
      artifactRoots: [],
    });
    if (refusal)
      throw new SwornError(
        "LEDGER_CORRUPT",
        `${trace}: the gap could not be recorded: ${refusal.reason}`,
      );
  } finally {
    recorder.close();
  }
  return kept;
}

function* readableLines(place: Place, trace: string): Generator<string> {
  let ledger: LocalLedger | undefined;
  try {
    ledger = openForReading(place, trace);
    yield* ledger.read();
  } catch (error) {
    if (error instanceof SwornError && error.code === "NOT_FOUND") throw error;
    // Damage ends the reading; what came before it is what can be saved.
  } finally {
    ledger?.close();
  }
}

function newestOutsideNote(place: Place, trace: string): { size: number; note: string } {
  const heads = place.heads(trace);
  const notes = heads.notes().map((note) => ({
    size: Number(note.split("\n")[1]),
    note,
  }));
  const newest = notes
    .filter(({ size }) => Number.isSafeInteger(size) && size > 0)
    .toSorted((a, b) => b.size - a.size)[0];
  return newest ?? { size: 1, note: "no head was kept outside the store" };
}

/**
 * Moves the damaged files away. A process that still has them open would go on writing where
 * nobody looks; before they are moved, the old ledger is made to refuse that.
 */
function setAside(place: Place, trace: string): string {
  sealOff(place.ledgerPath(trace));
  const folder = join(place.traceFolder(trace), `damaged-${ulid(place.clock())}`);
  mkdirSync(folder);
  for (const suffix of ["", "-wal", "-shm"]) {
    const path = place.ledgerPath(trace) + suffix;
    if (existsSync(path)) renameSync(path, join(folder, `ledger.db${suffix}`));
  }
  const heads = place.heads(trace);
  if (heads.exists()) renameSync(heads.path, `${heads.path}.damaged-${ulid(place.clock())}`);
  syncFolder(place.traceFolder(trace));
  return folder;
}

/** Stores the saved entries under a new checkpoint of the runtime's own. */
async function refill(place: Place, trace: string, lines: readonly string[]): Promise<void> {
  const { key } = runtimeOf(lines);
  const signer = await place.keyring.signer(RUNTIME_AGENT, key);
  if (!signer)
    throw new SwornError(
      "KEY_UNUSABLE",
      `${trace}: the runtime's key ${key} is not on this machine, so the trace cannot go on here`,
    );
  const ledger = LocalLedger.create(trace, place.ledgerPath(trace), place.heads(trace), signer);
  try {
    const entries = lines.map((line, seq) => ({ seq, line, hash: sha256Hex(line) }));
    ledger.append({ size: 0, hash: GENESIS_PREV }, entries, signer);
  } finally {
    ledger.close();
  }
}

function runtimeOf(lines: readonly string[]): { key: string } {
  try {
    let key = "";
    for (const line of lines) {
      const entry = JSON.parse(line) as {
        type: string;
        body: { agents?: { roles: string[]; key: string }[]; agent?: string; new_key?: string };
      };
      if (entry.type === "session_initialized")
        key = entry.body.agents?.find(({ roles }) => roles.includes("runtime"))?.key ?? "";
      if (entry.type === "key_rotated" && entry.body.agent === RUNTIME_AGENT)
        key = entry.body.new_key ?? key;
    }
    return { key };
  } catch (cause) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `the first entries cannot be read: ${messageOf(cause)}`,
      { cause },
    );
  }
}
