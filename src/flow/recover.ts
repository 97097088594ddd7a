import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Signer, SwornError, sha256Hex, syncFolder, ulid } from "../base/index.ts";
import { LocalLedger } from "../ledger/local.ts";
import { sealOff } from "../ledger/sqlite.ts";
import { type Entry, GENESIS_PREV } from "../schema/index.ts";
import { salvageLines } from "../verify/index.ts";
import { apply, emptySession } from "../view/index.ts";
import { RUNTIME_AGENT } from "./complete.ts";
import { draftGroup } from "./draft.ts";
import { type FsckOutcome, fsck } from "./fsck.ts";
import { sessionOf } from "./look.ts";
import { OpenedTrace } from "./opened-trace.ts";
import type { Place } from "./place.ts";

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

/**
 * Builds the trace anew beside what is there, and puts it in place step by step: killed anywhere,
 * the next recovery finds the trace again, and nothing that could be read is gone.
 */
async function rebuild(place: Place, trace: string, reason: string): Promise<string> {
  const lines = await salvage(place, trace);
  if (lines.length === 0) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `${trace}: no entry can be read any more; restore the store from a backup. Nothing was changed`,
    );
  }
  const signer = await runtimeSigner(place, trace, lines);
  const lost = newestOutsideNote(place, trace);
  const kept = setAside(place, trace);
  const heads = place.newHeads(trace);
  rmSync(heads.path, { force: true });
  const ledger = LocalLedger.create(trace, place.ledgerPath(trace), heads, signer);
  try {
    const entries = lines.map((line, seq) => ({ seq, line, hash: sha256Hex(line) }));
    ledger.append({ size: 0, hash: GENESIS_PREV }, entries, signer);
    await recordGap(place, ledger, signer, {
      reason: `recovered after: ${reason}`.slice(0, 1_000),
      ...lost,
    });
  } finally {
    ledger.close();
  }
  replaceHeads(place, trace);
  return kept;
}

async function recordGap(
  place: Place,
  ledger: LocalLedger,
  signer: Signer,
  body: { reason: string; lost_size: number; lost_checkpoint: string },
): Promise<void> {
  const opened = new OpenedTrace(ledger);
  // The ledger knows its entries already; the session is what has to be folded.
  opened.refold();
  const actor = { agent: RUNTIME_AGENT, role: "runtime" } as const;
  const request = { actor, type: "gap_recorded", body } as const;
  const draft = await draftGroup(place, opened, [request], { artifactRoots: [] });
  if (draft.refusal || !ledger.append(ledger.head, draft.entries, signer)) {
    throw new SwornError("LEDGER_CORRUPT", `${ledger.trace}: the gap could not be recorded`);
  }
}

/** The most that can be saved: from the ledger, or from what a recovery that was cut short set aside. */
async function salvage(place: Place, trace: string): Promise<string[]> {
  const folder = place.traceFolder(trace);
  const aside = readdirSync(folder).filter((name) => name.startsWith(ASIDE));
  const paths = [place.ledgerPath(trace), ...aside.map((name) => join(folder, name, "ledger.db"))];
  let best: string[] = [];
  for (const path of paths) {
    const lines = await salvageLines(readableLines(trace, path));
    if (lines.length > best.length) best = lines;
  }
  return best;
}

function* readableLines(trace: string, path: string): Generator<string> {
  let ledger: LocalLedger | undefined;
  try {
    ledger = LocalLedger.openForReading(trace, path);
    yield* ledger.read();
  } catch {
    // Damage ends the reading; what came before it is what can be saved.
  } finally {
    ledger?.close();
  }
}

function newestOutsideNote(
  place: Place,
  trace: string,
): { lost_size: number; lost_checkpoint: string } {
  const notes = place
    .heads(trace)
    .notes()
    .map((note) => ({ lost_size: Number(note.split("\n")[1]), lost_checkpoint: note }));
  const newest = notes
    .filter(({ lost_size }) => Number.isSafeInteger(lost_size) && lost_size > 0)
    .toSorted((a, b) => b.lost_size - a.lost_size)[0];
  return newest ?? { lost_size: 1, lost_checkpoint: "no head was kept outside the store" };
}

const ASIDE = "damaged-";

/**
 * Moves the damaged files away. A process that still has them open would go on writing where
 * nobody looks; before they are moved, the old ledger is made to refuse that. The ledger goes last:
 * until then the next recovery would still find all of it in its old place.
 */
function setAside(place: Place, trace: string): string {
  const folder = join(place.traceFolder(trace), `${ASIDE}${ulid(place.clock())}`);
  const path = place.ledgerPath(trace);
  if (!existsSync(path)) return place.traceFolder(trace);
  sealOff(path);
  mkdirSync(folder);
  for (const suffix of ["-shm", "-wal"]) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, join(folder, `ledger.db${suffix}`));
  }
  renameSync(path, join(folder, "ledger.db"));
  for (const suffix of ["-shm", "-wal"]) rmSync(path + suffix, { force: true });
  syncFolder(place.traceFolder(trace));
  return folder;
}

/** The heads of the new ledger take the place of the old ones, which are kept under another name. */
function replaceHeads(place: Place, trace: string): void {
  const { path } = place.heads(trace);
  if (existsSync(path)) copyFileSync(path, `${path}.${ASIDE}${ulid(place.clock())}`);
  renameSync(place.newHeads(trace).path, path);
  syncFolder(dirname(path));
}

async function runtimeSigner(
  place: Place,
  trace: string,
  lines: readonly string[],
): Promise<Signer> {
  const session = emptySession();
  for (const line of lines) apply(session, JSON.parse(line) as Entry);
  const key = session.agents.get(RUNTIME_AGENT)?.key;
  const signer = key === undefined ? undefined : await place.keyring.signer(RUNTIME_AGENT, key);
  if (signer) return signer;
  throw new SwornError(
    "KEY_UNUSABLE",
    `${trace}: the runtime's key ${key ?? ""} is not on this machine, so the trace cannot go on here. Nothing was changed`,
  );
}
