import { SwornError } from "../../base/index.ts";
import { openCheckpoint } from "../../ledger/index.ts";
import type { Place } from "../place.ts";
import { openForReading } from "../trace/reading.ts";
import { RUNTIME_AGENT } from "./complete.ts";

/**
 * A trace without an entry has nothing in it that could verify or fail to.
 *
 * @throws SwornError `NOT_FOUND`; never a pass.
 */
export function assertBegun(place: Place, trace: string): void {
  if (!isUnbegun(place, trace)) return;
  const message = `${trace} was begun, and nothing was ever recorded in it: its first entry was not written. There is nothing to look at or to verify; do again what was to be recorded`;
  throw new SwornError("NOT_FOUND", message);
}

/**
 * Whether the runtime of a trace was killed, or ran out of disk, before the first entry. Only what is kept
 * outside the store tells it from one whose entries were taken away: every record there has to be about no
 * entry at all, signed by this user's own runtime.
 */
export function isUnbegun(place: Place, trace: string): boolean {
  if (!isEmpty(place, trace)) return false;
  const notes = place.heads(trace).notes();
  return notes.length > 0 && notes.every((note) => isOfNothing(place, trace, note));
}

function isEmpty(place: Place, trace: string): boolean {
  const ledger = openForReading(place, trace);
  try {
    return !ledger.hasNews() && ledger.lastCheckpoint() === undefined;
  } finally {
    ledger.close();
  }
}

function isOfNothing(place: Place, trace: string, note: string): boolean {
  const own = place.keyring.list().filter(({ agent }) => agent === RUNTIME_AGENT);
  return own.some((key) => {
    try {
      return openCheckpoint(note, trace, key.public).size === 0;
    } catch {
      // Not by this key, of another trace, or damaged: it does not speak for an empty one.
      return false;
    }
  });
}
