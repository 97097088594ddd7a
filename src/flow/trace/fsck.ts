import { messageOf, sha256Hex } from "../../base/index.ts";
import { claimOf, TreeHead } from "../../ledger/index.ts";
import type { LocalLedger } from "../../ledger/local.ts";
import { isDamage } from "../../ledger/sqlite.ts";
import type { Entry, EventType, FailureCode, VerificationReport } from "../../schema/index.ts";
import { verifyTrace } from "../../verify/index.ts";
import { apply, emptySession, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { openRuntimeNote } from "../record/runtime-note.ts";
import { localSource } from "./local-source.ts";
import { openForReading } from "./reading.ts";

/** One thing that is wrong with a stored trace. */
export interface StoreProblem {
  readonly code:
    | "STORE_DAMAGED"
    | "STORE_BEHIND"
    | "STORE_FORKED"
    | "HEAD_MISSING"
    | "HEAD_DAMAGED"
    | "CHECKPOINT_DAMAGED";
  readonly message: string;
}

/** What fsck found out about one trace. `report` is null when there is nothing to read, or no way to. */
export interface FsckOutcome {
  readonly trace: string;
  readonly status: "ok" | "damaged";
  readonly entries: number;
  readonly problems: readonly StoreProblem[];
  readonly report: VerificationReport | null;
}

/** What a whole and true record may tell: somebody claimed too much, or lost a key. */
export const TRUE_RECORD: readonly FailureCode[] = ["CLAIM_UNPROVEN", "KEY_COMPROMISED"];

/**
 * Checks everything about a stored trace: SQLite's own structures, every entry, every stored
 * checkpoint, every artifact, and the head that is kept outside. Changes nothing.
 */
export async function fsck(place: Place, trace: string): Promise<FsckOutcome> {
  const problems: StoreProblem[] = [];
  const add = (code: StoreProblem["code"], message: string) => problems.push({ code, message });
  const report = await checkLedger(place, trace, add);
  const damaged =
    problems.length > 0 || report?.failures.some(({ code }) => !TRUE_RECORD.includes(code));
  return {
    trace,
    status: damaged ? "damaged" : "ok",
    entries: report?.entries ?? 0,
    problems,
    report,
  };
}

type Add = (code: StoreProblem["code"], message: string) => void;

async function checkLedger(
  place: Place,
  trace: string,
  add: Add,
): Promise<VerificationReport | null> {
  let ledger: LocalLedger | undefined;
  try {
    ledger = openForReading(place, trace);
    for (const problem of ledger.storageProblems()) add("STORE_DAMAGED", problem);
    if (isUnused(ledger)) return null;
    const report = await verifyTrace(localSource(place, ledger), {
      profile: "default",
      mode: "full",
      threads: place.threads,
    });
    checkCheckpoints(place, ledger, add);
    return report;
  } catch (error) {
    // Too many open files or a thread that died says nothing about what is stored.
    if (!isDamage(error)) throw error;
    add("STORE_DAMAGED", messageOf(error));
    return null;
  } finally {
    ledger?.close();
  }
}

/** A trace whose making was cut short before its first entry: nothing was acknowledged, nothing is lost. */
function isUnused(ledger: LocalLedger): boolean {
  const { trace, outsideNotes } = ledger;
  const isFirst = (note: string) => claimOf(note, trace)?.size === 0;
  return !ledger.hasNews() && outsideNotes.length > 0 && outsideNotes.every(isFirst);
}

/** Every checkpoint, in the store and outside it, must be signed and fit the entries. */
function checkCheckpoints(place: Place, ledger: LocalLedger, add: Add): void {
  const notes = [...ledger.checkpoints()];
  const outside = ledger.outsideNotes;
  if (outside.length === 0) {
    const { path } = place.heads(ledger.trace);
    add("HEAD_MISSING", `the head kept outside the store (${path}) is missing`);
  }
  const { roots, session, size } = rootsAt(
    ledger,
    new Set(
      [...notes, ...outside.flatMap((note) => claimOf(note, ledger.trace) ?? [])].map(
        ({ size }) => size,
      ),
    ),
  );
  for (const { size: claimed, note } of notes) {
    const opened = openRuntimeNote(session, ledger.trace, note);
    if (opened?.size !== claimed || opened.root !== roots.get(claimed)) {
      add(
        "CHECKPOINT_DAMAGED",
        `the stored checkpoint over ${claimed} entries is altered or does not fit the entries`,
      );
    }
  }
  if (notes.length > 0 && notes.at(-1)?.size !== size) {
    add(
      "STORE_DAMAGED",
      `${size} entries are stored, the last checkpoint is over ${notes.at(-1)?.size}`,
    );
  }
  for (const note of outside) checkOutside(ledger.trace, note, { roots, session, size }, add);
}

function checkOutside(
  trace: string,
  note: string,
  found: { roots: Map<number, string>; session: Session; size: number },
  add: Add,
): void {
  const opened = openRuntimeNote(found.session, trace, note);
  if (!opened) add("HEAD_DAMAGED", "a head kept outside the store is altered");
  else if (opened.size > found.size) {
    add(
      "STORE_BEHIND",
      `the store has ${found.size} entries, but ${opened.size} were acknowledged: the end is lost or an older copy was put back`,
    );
  } else if (found.roots.get(opened.size) !== opened.root) {
    add("STORE_FORKED", `the first ${opened.size} entries are not the ones that were acknowledged`);
  }
}

function rootsAt(ledger: LocalLedger, sizes: ReadonlySet<number>) {
  const tree = new TreeHead();
  const session = emptySession();
  const roots = new Map([[0, tree.root()]]);
  for (const line of ledger.read()) {
    tree.append(sha256Hex(line));
    applyLoosely(session, line);
    if (sizes.has(tree.size)) roots.set(tree.size, tree.root());
  }
  return { roots, session, size: tree.size };
}

const KEY_TYPES: readonly EventType[] = ["session_initialized", "agent_enrolled", "key_rotated"];

/** Only for finding the runtime's keys; what is wrong with a line is in the verification report. */
function applyLoosely(session: Session, line: string): void {
  try {
    const entry = JSON.parse(line) as Entry;
    if (KEY_TYPES.includes(entry.type)) apply(session, entry);
  } catch {
    // Reported by the verifier with its place and reason.
  }
}
