import { isMissing, printedBy, undecided } from "./ended-words.ts";
import { fail, pass, quoted, unproven } from "./outcome.ts";
import type { Prove } from "./scene.ts";
import { runSealed } from "./sealed-run.ts";

/** A command on the files that the work left ends and prints as it should. */
export const proveCommand: Prove<"command"> = async (proof, scene) => {
  const { argv, exit } = proof;
  const { before: base, after: commit } = scene;
  const end = await runSealed({ argv, commit, base }, scene);
  const output = printedBy(end);
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
};
