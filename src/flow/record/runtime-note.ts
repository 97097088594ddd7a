import { SwornError } from "../../base/index.ts";
import { type Checkpoint, openCheckpoint } from "../../ledger/index.ts";
import type { LocalLedger } from "../../ledger/local.ts";
import { runtimeKeysOf, type Session } from "../../view/index.ts";

/**
 * Opens a checkpoint note that any key the runtime ever had in this session signed; undefined when
 * none of them did, or when it is not a checkpoint of this trace.
 */
export function openRuntimeNote(
  session: Session,
  trace: string,
  note: string,
): Checkpoint | undefined {
  for (const publicText of runtimeKeysOf(session)) {
    try {
      return openCheckpoint(note, trace, publicText);
    } catch {
      // Signed by another of its keys, or by none; "none" is what the caller asks about.
    }
  }
  return undefined;
}

/**
 * Refuses entries that are not the ones the runtime signed for last.
 *
 * @throws SwornError `LEDGER_CORRUPT`.
 */
export function assertSignedFor(
  session: Session,
  ledger: Pick<LocalLedger, "trace" | "root"> & { readonly head: { readonly size: number } },
  note: string | undefined,
) {
  const { trace, root } = ledger;
  const { size } = ledger.head;
  if (size === 0 && note === undefined) return;
  const checkpoint = openRuntimeNote(session, trace, note ?? "");
  if (checkpoint?.size !== size || checkpoint.root !== root) {
    throw new SwornError(
      "LEDGER_CORRUPT",
      `${trace}: the entries are not the ones the last checkpoint was signed for; see "sworn trace fsck ${trace}"`,
    );
  }
}
