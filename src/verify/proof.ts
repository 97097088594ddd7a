import { messageOf, parseVerifierKey, sha256Hex } from "../base/index.ts";
import { isConsistent, isIncluded, openCheckpoint } from "../ledger/index.ts";
import type { Proof } from "../schema/index.ts";

/** What a proof shows. */
export interface ProofVerdict {
  readonly status: "pass" | "fail";
  readonly reasons: readonly string[];
}

/**
 * Checks a proof against the key the reader trusts, or, without one, against the key it names; then
 * it only shows that the proof agrees with itself.
 */
export function verifyProof(proof: Proof, trustedKey: string | undefined): ProofVerdict {
  const reasons: string[] = [];
  try {
    const { public: publicText } = parseVerifierKey(trustedKey ?? proof.signer);
    const { size, root } = openCheckpoint(proof.checkpoint, proof.trace, publicText);
    if (size !== proof.size)
      reasons.push(`the checkpoint is over ${size} entries, the proof over ${proof.size}`);
    const hash = sha256Hex(proof.entry);
    if (!isIncluded(hash, { index: proof.seq, size, path: proof.path, root })) {
      reasons.push(`entry ${proof.seq} is not in the tree that was signed`);
    }
    const { consistency } = proof;
    if (consistency && !isConsistent(consistency, { size, root }, consistency.path)) {
      reasons.push(
        `the tree of ${consistency.size} entries is not a prefix of the one that was signed`,
      );
    }
  } catch (error) {
    reasons.push(messageOf(error));
  }
  return { status: reasons.length === 0 ? "pass" : "fail", reasons };
}
