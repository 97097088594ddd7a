import type { ProofOutcome, WorkProofOf } from "../../schema/work-proof.ts";
import { changedCommand } from "./changed-command.ts";
import { isMissing, printedBy, undecided } from "./ended-words.ts";
import { fail, pass, quoted, unproven } from "./outcome.ts";
import type { ProofScene } from "./scene.ts";
import { runSealed, type SealedEnd } from "./sealed-run.ts";

/** A command on the files that the work left ends and prints as it should, and does what it did before. */
export async function proveCommand(
  proof: WorkProofOf<"command">,
  scene: ProofScene,
): Promise<ProofOutcome> {
  const changed = await changedCommand(proof.argv, scene, scene);
  if (changed !== undefined) {
    return fail(
      proof,
      `${changed}, which decides what this command does, was changed by the work that it judges; leave it as it was, or let the plan name it among the files of the subtask`,
    );
  }
  return (await runCommand(proof, scene)).outcome;
}

/** The same, whatever was changed, with all that was printed. */
export async function runCommand(
  proof: WorkProofOf<"command">,
  scene: Omit<ProofScene, "mayChange">,
): Promise<{ readonly outcome: ProofOutcome; readonly printed: string }> {
  const { before: base, after: commit } = scene;
  const end = await runSealed({ argv: proof.argv, commit, base }, scene);
  const printed = printedBy(end);
  return { outcome: judgeEnd(proof, end, printed), printed };
}

function judgeEnd(proof: WorkProofOf<"command">, end: SealedEnd, output: string): ProofOutcome {
  const { argv, exit } = proof;
  const why = undecided(end, argv);
  if (why !== undefined) return unproven(proof, why, output);
  if (isMissing(end, argv)) {
    const what = `${quoted(argv[0] ?? "")} is not in the environment that proofs run in`;
    return unproven(proof, what, output);
  }
  if (end.code !== exit) {
    const lacking = end.lacking === undefined ? "" : ` (${end.lacking})`;
    return fail(proof, `expected exit code ${exit}, found ${end.code}${lacking}`, output);
  }
  for (const stream of ["stdout", "stderr"] as const) {
    const wanted = proof[stream];
    if (wanted !== undefined && !end[stream].includes(wanted)) {
      return fail(proof, `expected ${quoted(wanted)} on ${stream}, found it nowhere`, output);
    }
  }
  return pass(proof, `it ended with ${exit}, and printed what it should`, output);
}
