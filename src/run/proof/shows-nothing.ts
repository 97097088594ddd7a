import type { SubtaskType } from "../../schema/plan.ts";
import type { ProofOutcome, WorkProof } from "../../schema/work-proof.ts";
import { unproven } from "./outcome.ts";

/** These hold the work against what was there before, or against nothing that was there before. */
const COMPARING: readonly WorkProof["kind"][] = ["test", "diff", "judge"];
/** What is quickly known is asked first. */
const SLOW: readonly WorkProof["kind"][] = ["python", "command", "http"];
const WHY =
  "it passes on the commit that the work began with, and no other proof tells the two apart: nothing shows that anything was done";
const CALLED_OFF = "it was called off before it was known whether it shows anything";
const OWN_WORD = "it judges what the worker says of its own work, and no other proof looks at that";

/**
 * Proofs that all pass show something only when one of them would not pass without the work. Where all
 * of them do, none has decided anything, and each says so.
 *
 * @param proveBefore makes one proof on the commit that the work began with; undefined when it was called off
 */
export async function withoutVacuous(
  outcomes: readonly ProofOutcome[],
  type: SubtaskType,
  proveBefore: (proof: WorkProof) => Promise<ProofOutcome | undefined>,
): Promise<readonly ProofOutcome[]> {
  const isDecided = ({ verdict, proof }: ProofOutcome) =>
    verdict !== "pass" || COMPARING.includes(proof.kind);
  if (outcomes.length === 0 || outcomes.some(isDecided)) return outcomes;
  const isOwnWord = (proof: WorkProof) =>
    proof.kind === "python" && (type === "CODE" || type === "DOCS");
  const asked = outcomes
    .map(({ proof }) => proof)
    .filter((proof) => !isOwnWord(proof))
    .toSorted((one, other) => Number(isSlow(one)) - Number(isSlow(other)));
  for (const proof of asked) {
    const found = await proveBefore(proof);
    if (found === undefined) return outcomes.map((one) => unproven(one.proof, CALLED_OFF));
    if (found.verdict !== "pass") return outcomes;
  }
  return outcomes.map(({ proof, output }) =>
    unproven(proof, isOwnWord(proof) ? OWN_WORD : WHY, output),
  );
}

function isSlow({ kind }: WorkProof): boolean {
  return SLOW.includes(kind);
}
