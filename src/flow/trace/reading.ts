import { LocalLedger } from "../../ledger/local.ts";
import type { Place } from "../place.ts";

/** Opens one unmoving view of a trace. Close it when done. */
export function openForReading(place: Place, trace: string): LocalLedger {
  return LocalLedger.openForReading(trace, place.ledgerPath(trace), place.heads(trace));
}
