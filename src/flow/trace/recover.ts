import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Signer, SwornError, sha256Hex, syncFolder, ulid } from "../../base/index.ts";
import { acknowledgedSize, claimOf } from "../../ledger/index.ts";
import { LocalLedger } from "../../ledger/local.ts";
import { retireDatabase } from "../../ledger/sqlite.ts";
import { type Body, type Entry, type FailureCode, GENESIS_PREV } from "../../schema/index.ts";
import { salvageLines } from "../../verify/index.ts";
import { apply, emptySession, runtimeKeysOf, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { RUNTIME_AGENT } from "../record/complete.ts";
import { draftGroup } from "../record/draft.ts";
import { OpenedTrace } from "../record/opened-trace.ts";
import { type FsckOutcome, fsck, TRUE_RECORD } from "./fsck.ts";
import { sessionOf } from "./look.ts";

/** What recovering came to. */
export interface RecoverOutcome {
  readonly trace: string;
  /**
   * `sound`: nothing to do. `needs-copies`: the record is whole, but artifacts are lost, and only
   * copies of them help. `needs-consent`: entries are lost and nothing was changed. `recovered`: it
   * goes on.
   */
  readonly kind: "sound" | "needs-copies" | "needs-consent" | "recovered";
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
  if (problems.length === 0) {
    const lost = (found.report?.failures ?? []).filter(({ code }) => ARTIFACT_CODES.includes(code));
    const kind = lost.length > 0 ? "needs-copies" : "sound";
    const messages = lost.map(({ message }) => message);
    return { trace, kind, problems: messages, ...standing(place, trace) };
  }
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
  const outcome = { trace, kind: "recovered" as const, problems, ...standing(place, trace) };
  return kept === undefined ? outcome : { ...outcome, kept };
}

/** What is wrong with the record itself, and so with what can be built on it. */
function problemsOf({ problems, report }: FsckOutcome): string[] {
  const beside = [...TRUE_RECORD, ...ARTIFACT_CODES];
  const broken = (report?.failures ?? []).filter(({ code }) => !beside.includes(code));
  return [...problems.map(({ message }) => message), ...broken.map(({ message }) => message)];
}

/** Missing or altered artifacts are evidence lost, not a broken record: recovering cannot mend them. */
const ARTIFACT_CODES: readonly FailureCode[] = ["ARTIFACT_MISSING", "ARTIFACT_HASH_MISMATCH"];

function standing(place: Place, trace: string) {
  const { session, next } = sessionOf(place, trace);
  return { entries: session.size, state: session.state, next };
}

/**
 * Builds the trace anew beside what is there, and puts it in place step by step: killed anywhere,
 * the next recovery finds the trace again, and nothing that could be read is gone.
 */
async function rebuild(place: Place, trace: string, reason: string): Promise<string | undefined> {
  const lines = salvage(place, trace);
  if (lines.length === 0) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `${trace}: no entry can be read any more; restore the store from a backup. Where there is none, move ${place.traceFolder(trace)} away: the record is lost then, and nothing asks for it any more. Nothing was changed`,
    );
  }
  const session = emptySession();
  for (const line of lines) apply(session, JSON.parse(line) as Entry);
  const signer = await runtimeSigner(place, trace, session);
  const lost = newestAcknowledged(place, trace, session);
  const kept = setAside(place, trace);
  const heads = place.newHeads(trace);
  rmSync(heads.path, { force: true });
  const ledger = LocalLedger.create(trace, place.ledgerPath(trace), heads, signer);
  try {
    const entries = lines.map((line, seq) => ({ seq, line, hash: sha256Hex(line) }));
    if (!ledger.append({ size: 0, hash: GENESIS_PREV }, entries, signer)) {
      throw new SwornError("LEDGER_BUSY", `${trace} is being recovered by another process`);
    }
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
  body: Body<"gap_recorded">,
): Promise<void> {
  const opened = new OpenedTrace(ledger);
  // The ledger knows its entries already; the session is what has to be folded.
  opened.refold();
  const actor = { agent: RUNTIME_AGENT, role: "runtime" } as const;
  const request = { actor, type: "gap_recorded", body } as const;
  const draft = await draftGroup(place, opened, [request], { artifactRoots: [] });
  const why = draft.refusal?.reason ?? "another process was faster";
  if (draft.refusal || !ledger.append(ledger.head, draft.entries, signer)) {
    throw new SwornError("LEDGER_CORRUPT", `${ledger.trace}: the gap cannot be recorded: ${why}`);
  }
}

/** The most that can be saved: from the ledger, or from what a recovery that was cut short set aside. */
function salvage(place: Place, trace: string): string[] {
  const folder = place.traceFolder(trace);
  const aside = readdirSync(folder).filter((name) => name.startsWith(ASIDE));
  const paths = [place.ledgerPath(trace), ...aside.map((name) => join(folder, name, "ledger.db"))];
  let best: string[] = [];
  for (const path of paths) {
    const lines = salvageLines(readableLines(trace, path), trace);
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

/**
 * The newest head kept outside that one of the runtime's keys signed; the keyring may know keys
 * whose enrolment is among what was lost. What nobody signed is not written into the record.
 */
function newestAcknowledged(
  place: Place,
  trace: string,
  session: Session,
): Pick<Body<"gap_recorded">, "lost_size" | "lost_checkpoint"> {
  const own = place.keyring.list().filter(({ agent }) => agent === RUNTIME_AGENT);
  const keys = [...runtimeKeysOf(session), ...own.map((key) => key.public)];
  const newest = place
    .heads(trace)
    .notes()
    .filter((note) => claimOf(note, trace, keys) === undefined)
    .map((note) => ({ lost_size: acknowledgedSize(note, trace, keys), lost_checkpoint: note }))
    .toSorted((a, b) => b.lost_size - a.lost_size)[0];
  return newest && newest.lost_size > 0 ? newest : {};
}

const ASIDE = "damaged-";

/**
 * Copies the damaged files away, then removes them. A process that still has them open would go on
 * writing where nobody looks; before anything else the old ledger is made to refuse that. Killed in
 * between, the next recovery finds all of it in the old place or in the copy.
 */
function setAside(place: Place, trace: string): string | undefined {
  const path = place.ledgerPath(trace);
  if (!existsSync(path)) return undefined;
  retireDatabase(path);
  const folder = join(place.traceFolder(trace), `${ASIDE}${ulid(place.clock())}`);
  mkdirSync(folder);
  const files = ["-shm", "-wal", ""].filter((suffix) => existsSync(path + suffix));
  for (const suffix of files) copyFileSync(path + suffix, join(folder, `ledger.db${suffix}`));
  syncFolder(folder);
  syncFolder(place.traceFolder(trace));
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
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

async function runtimeSigner(place: Place, trace: string, session: Session): Promise<Signer> {
  const key = session.agents.get(RUNTIME_AGENT)?.key;
  const signer = key === undefined ? undefined : await place.keyring.signer(RUNTIME_AGENT, key);
  if (signer) return signer;
  const isRevoked = place.keyring.list().some((known) => known.key === key);
  const why = isRevoked ? "is revoked here and signs nothing more" : "is not on this machine";
  throw new SwornError(
    "KEY_UNUSABLE",
    `${trace}: the runtime's key ${key ?? ""} ${why}, so the trace cannot go on here; what is left of it can still be read and verified. Nothing was changed`,
  );
}
