import { decodeUtf8, messageOf, SwornError } from "../../base/index.ts";
import type { LocalLedger } from "../../ledger/local.ts";
import type { Entry } from "../../schema/index.ts";
import { apply, emptySession, FINAL_STATES, possibleNext, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { isUnbegun } from "../record/assert-begun.ts";
import { assertSignedFor } from "../record/runtime-note.ts";
import { openForReading } from "./reading.ts";

const NEVER_BEGAN = "it never began: nothing was recorded in it";

/** One line of `sworn trace ls`. */
export interface TraceSummary {
  readonly trace: string;
  readonly state: string;
  readonly entries: number;
  readonly task: string | null;
  readonly started: string | null;
  readonly last: string | null;
  /** Why it cannot be read, where it cannot, or has nothing to read. */
  readonly problem?: string;
}

/** Reads the entries of a trace for a person; proves nothing (that is what verify is for). */
export function readTrace(place: Place, trace: string, from = 0): Entry[] {
  return withLedger(place, trace, (ledger) => [...ledger.read(from)].map(toEntry));
}

/** How a trace begins, without a look at the rest; undefined where it has no entry. */
export function firstEntry(place: Place, trace: string): Entry | undefined {
  return withLedger(place, trace, (ledger) => {
    const [line] = ledger.read();
    return line === undefined ? undefined : toEntry(line);
  });
}

export function summarize(place: Place): TraceSummary[] {
  return place.traces().map((trace) => {
    try {
      return summarizeOne(place, trace);
    } catch (error) {
      // A trace whose record is broken has failed, whatever its last readable entry says.
      return { ...unread(trace), state: "failed", problem: messageOf(error) };
    }
  });
}

function unread(trace: string) {
  return { trace, entries: 0, task: null, started: null, last: null };
}

function summarizeOne(place: Place, trace: string): TraceSummary {
  if (isUnbegun(place, trace)) return { ...unread(trace), state: "unbegun", problem: NEVER_BEGAN };
  return withLedger(place, trace, (ledger) => {
    const { session, first, last } = fold(ledger);
    const task = first?.type === "session_initialized" ? first.body.task : null;
    return {
      trace,
      state: session.state,
      entries: session.size,
      task,
      started: first?.at ?? null,
      last: last?.at ?? null,
    };
  });
}

/** Where a session stands and what may come next, folded from its entries. */
export function sessionOf(place: Place, trace: string): { session: Session; next: string[] } {
  return withLedger(place, trace, (ledger) => {
    const { session } = fold(ledger);
    return { session, next: possibleNext(session) };
  });
}

/** Whether nothing can follow any more. */
export function isEnded(place: Place, trace: string): boolean {
  return FINAL_STATES.includes(sessionOf(place, trace).session.state);
}

/** The session that the entries tell, if they are the ones the runtime signed for. */
function fold(ledger: LocalLedger): { session: Session; first?: Entry; last?: Entry } {
  const seen: { session: Session; first?: Entry; last?: Entry } = { session: emptySession() };
  const checkpoint = ledger.catchUp((line) => {
    const entry = toEntry(line);
    seen.first ??= entry;
    seen.last = entry;
    apply(seen.session, entry);
  });
  assertSignedFor(seen.session, ledger, checkpoint?.note);
  return seen;
}

function withLedger<T>(place: Place, trace: string, use: (ledger: LocalLedger) => T): T {
  const ledger = openForReading(place, trace);
  try {
    return use(ledger);
  } finally {
    ledger.close();
  }
}

function toEntry(line: string): Entry {
  try {
    return JSON.parse(decodeUtf8(Buffer.from(line))) as Entry;
  } catch (cause) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `the ledger holds a line that is not an entry: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}
