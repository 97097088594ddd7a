import { SwornError, sha256Hex, toVerifierKey } from "../../base/index.ts";
import {
  CHECKPOINT_SIGNER,
  proveConsistency,
  proveInclusion,
  TreeHead,
} from "../../ledger/index.ts";
import type { Proof } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { sessionOf } from "./look.ts";
import { openForReading } from "./reading.ts";

/**
 * Proves that an entry is in a trace, to somebody who has only a checkpoint; and, where asked, that
 * the trace of an earlier size is a prefix of the present one.
 *
 * @throws SwornError `NOT_FOUND`.
 */
export function proveEntry(place: Place, trace: string, seq: number, since?: number): Proof {
  const ledger = openForReading(place, trace);
  try {
    const hashes: string[] = [];
    let entry: string | undefined;
    for (const line of ledger.read()) {
      if (hashes.length === seq) entry = line;
      hashes.push(sha256Hex(line));
    }
    const path = proveInclusion(hashes, seq);
    const checkpoint = ledger.lastCheckpoint()?.note;
    if (entry === undefined || checkpoint === undefined)
      throw new SwornError("NOT_FOUND", `${trace} has no checkpoint yet`);
    const proof = {
      v: 1,
      trace,
      seq,
      size: hashes.length,
      entry,
      path,
      checkpoint,
      signer: signerOf(place, trace),
    } as const;
    if (since === undefined) return proof;
    return {
      ...proof,
      consistency: {
        size: since,
        root: rootOf(hashes.slice(0, since)),
        path: proveConsistency(hashes, since),
      },
    };
  } finally {
    ledger.close();
  }
}

function rootOf(hashes: readonly string[]): string {
  const tree = new TreeHead();
  for (const hash of hashes) tree.append(hash);
  return tree.root();
}

function signerOf(place: Place, trace: string): string {
  const { session } = sessionOf(place, trace);
  const isRuntime = (agent: string) => session.agents.get(agent)?.roles.includes("runtime");
  const own = [...session.keys.values()].filter(({ agent }) => isRuntime(agent)).at(-1);
  return toVerifierKey({ name: CHECKPOINT_SIGNER, public: own?.public ?? "" });
}
