import { SwornError } from "../../base/index.ts";
import { acknowledgedSize, type Checkpoint } from "../../ledger/index.ts";
import type { LocalLedger } from "../../ledger/local.ts";
import { runtimeKeysOf, type Session } from "../../view/index.ts";
import { openRuntimeNote } from "../record/runtime-note.ts";

/** The newest checkpoint kept outside the store that the runtime signed. */
export function newestOutside(session: Session, ledger: LocalLedger): Checkpoint | undefined {
  return ledger.outsideNotes
    .flatMap((note) => openRuntimeNote(session, ledger.trace, note) ?? [])
    .toSorted((a, b) => b.size - a.size)[0];
}

/**
 * Refuses a store that has less than was acknowledged: a chain by itself does not show that its
 * end is gone.
 *
 * @throws SwornError `LEDGER_BEHIND`.
 */
export function assertNotBehind(session: Session, ledger: LocalLedger, stored: number): void {
  const { trace, outsideNotes } = ledger;
  const known = runtimeKeysOf(session);
  const acknowledged = Math.max(
    0,
    ...outsideNotes.map((note) => acknowledgedSize(note, trace, known)),
  );
  if (acknowledged > stored) {
    throw new SwornError(
      "LEDGER_BEHIND",
      `${trace}: the store has ${stored} entries, but ${acknowledged} were acknowledged; an older copy was put back or the end is lost. ${adviceFor(trace)}`,
    );
  }
}

/** What to do about a trace that is not what it was. */
export function adviceFor(trace: string): string {
  return `See "sworn trace fsck ${trace}"; put the newer copy back, or go on without what is lost with "sworn trace recover ${trace} --accept-loss"`;
}
