import { SwornError, sha256Hex } from "../../base/index.ts";
import { type Entry, parseEntry } from "../../schema/index.ts";
import { apply, emptySession } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { assertSignedFor } from "../record/runtime-note.ts";
import { openForReading } from "../trace/reading.ts";

/** An entry, and the hash of its line. */
export interface SignedEntry {
  readonly entry: Entry;
  readonly digest: string;
}

/**
 * The entries of a trace with their hashes. Nothing is given that the runtime did not sign for.
 *
 * @throws SwornError `LEDGER_CORRUPT`, or what opening it throws.
 */
export function signedEntries(place: Place, trace: string): SignedEntry[] {
  const ledger = openForReading(place, trace);
  try {
    const session = emptySession();
    const found: SignedEntry[] = [];
    const checkpoint = ledger.catchUp((line) => {
      const entry = entryOf(line, trace);
      apply(session, entry);
      found.push({ entry, digest: sha256Hex(line) });
    });
    assertSignedFor(session, ledger, checkpoint?.note);
    return found;
  } finally {
    ledger.close();
  }
}

/** The task that a trace says it is about; undefined where it does not begin as one should. */
export function taskOfTrace(place: Place, trace: string): string | undefined {
  const ledger = openForReading(place, trace);
  try {
    const [line] = ledger.read();
    const first = line === undefined ? undefined : parseEntry(saidBy(line)).data;
    return first?.type === "session_initialized" ? first.body.task : undefined;
  } finally {
    ledger.close();
  }
}

function entryOf(line: string, trace: string): Entry {
  const { data } = parseEntry(saidBy(line));
  if (data !== undefined) return data;
  const what = `${trace} holds a line that is no entry of this version`;
  throw new SwornError("LEDGER_CORRUPT", `${what}; see "sworn trace fsck ${trace}"`);
}

/** What a line says; undefined, which is no entry, where it is not even JSON. */
function saidBy(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
