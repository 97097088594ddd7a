import type { FailureCode } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { verifyLocal } from "./verify-target.ts";

/** Findings after which a line is not what was recorded, or not known to be. Broken rules are none. */
const ABOUT_THE_RECORD: readonly FailureCode[] = [
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

/**
 * The first place from which on a local trace is not as it was signed; undefined when it is to its
 * end. A quick look settles that for a sound trace, and only a full one tells where another breaks.
 */
export async function firstUnsound(place: Place, trace: string): Promise<number | undefined> {
  const options = { profile: "default", threads: 0 } as const;
  const quick = await verifyLocal(place, trace, { ...options, mode: "fast" });
  if (quick.failures.length === 0) return undefined;
  const report = await verifyLocal(place, trace, { ...options, mode: "full" });
  // What was left out of the list may be what breaks the record; then the first failure of any kind counts.
  if (report.omitted > 0) return report.lastTrustedSeq + 1;
  const places = report.failures.flatMap(({ code, seq }) =>
    ABOUT_THE_RECORD.includes(code) && seq !== null ? [seq] : [],
  );
  // Something is wrong with the whole, and nothing says from where on.
  return places.length === 0 ? 0 : Math.min(...places);
}
