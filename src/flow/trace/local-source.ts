import type { LocalLedger } from "../../ledger/local.ts";
import type { TraceSource } from "../../verify/index.ts";
import type { Place } from "../place.ts";

/** Small enough that the last pieces of a ledger still spread over all threads. */
const PIECE_CHARS = 1 << 16;

/** A trace of this machine as the verifier reads it. */
export function localSource(place: Place, ledger: LocalLedger): TraceSource {
  const { artifacts } = place;
  return {
    trace: ledger.trace,
    entriesBytes: ledger.storedBytes(),
    outsideHeads: ledger.outsideNotes,
    checkpoint: ledger.lastCheckpoint()?.note,
    keys: undefined,
    artifactHashes: undefined,
    lines: () => pieces(ledger.read()),
    artifact: (hash) => (artifacts.has(hash) ? artifacts.read(hash) : undefined),
  };
}

/** Joins lines to pieces that are worth handing to a thread. */
export function* pieces(lines: Iterable<string>): Generator<Buffer> {
  let piece: string[] = [];
  let chars = 0;
  for (const line of lines) {
    piece.push(line, "\n");
    chars += line.length;
    if (chars < PIECE_CHARS) continue;
    yield Buffer.from(piece.join(""));
    [piece, chars] = [[], 0];
  }
  if (piece.length > 0) yield Buffer.from(piece.join(""));
}
