import { SwornError } from "../../base/index.ts";
import { type Entry, parseEntry } from "../../schema/index.ts";
import { verifyTrace } from "../../verify/index.ts";
import { FINAL_STATES, type SessionState } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { localSource } from "./local-source.ts";
import { isOwnSigner } from "./own-signer.ts";
import { openForReading } from "./reading.ts";

/** Warnings that leave open whether the record still has its end. */
const DOUBTS: readonly string[] = ["GAP_RECORDED", "HEAD_MISSING"];

/** The entries of a trace that was verified, and whether more can follow. */
export interface SoundTrace {
  readonly entries: readonly Entry[];
  readonly isEnded: boolean;
}

/**
 * Reads a trace that something is going to be allowed by: verified in full, with an end that is
 * known outside the store, signed by this user's own runtime. What is read is what was verified:
 * both come from one unmoving view.
 *
 * @throws SwornError `LEDGER_CORRUPT`, or what opening it throws.
 */
export async function soundEntries(place: Place, trace: string): Promise<SoundTrace> {
  const ledger = openForReading(place, trace);
  try {
    const options = { profile: "strict", mode: "full", threads: 0 } as const;
    const report = await verifyTrace(localSource(place, ledger), options);
    const { status, failures, warnings, signer, state } = report;
    const wrong = failures[0] ?? warnings.find(({ code }) => DOUBTS.includes(code));
    if (status === "fail" || wrong !== undefined) {
      const why = `its record does not verify: ${wrong?.message ?? status}`;
      throw doubtful(`${why}; see "sworn trace fsck ${trace}"`);
    }
    if (signer === null || !isOwnSigner(place, signer)) {
      throw doubtful("its record was made with a key that is not yours");
    }
    const entries = [...ledger.read()].flatMap((line) => parseEntry(JSON.parse(line)).data ?? []);
    // The report has the view's own words for states.
    return { entries, isEnded: FINAL_STATES.includes(state as SessionState) };
  } finally {
    ledger.close();
  }
}

function doubtful(what: string): SwornError {
  return new SwornError("LEDGER_CORRUPT", what);
}
