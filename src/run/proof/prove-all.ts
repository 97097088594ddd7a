import { messageOf } from "../../base/index.ts";
import type { ProofOutcome, WorkProof } from "../../schema/work-proof.ts";
import { unproven } from "./outcome.ts";
import { proveCommand } from "./prove-command.ts";
import { proveDiff } from "./prove-diff.ts";
import { proveFile } from "./prove-file.ts";
import { proveHttp } from "./prove-http.ts";
import { proveJson } from "./prove-json.ts";
import { proveJudge } from "./prove-judge.ts";
import { provePattern } from "./prove-pattern.ts";
import { provePython } from "./prove-python.ts";
import { proveSections } from "./prove-sections.ts";
import type { ProofScene, Prove } from "./scene.ts";
import { proveTest } from "./test/prove-test.ts";

const PROVERS: { readonly [K in WorkProof["kind"]]: Prove<K> } = {
  python: provePython,
  test: proveTest,
  command: proveCommand,
  file: proveFile,
  pattern: provePattern,
  json: proveJson,
  sections: proveSections,
  http: proveHttp,
  diff: proveDiff,
  judge: proveJudge,
};

/**
 * Makes all proofs of a subtask, in their order, and gives an outcome for each. It never throws: a
 * tool that fails, a time that is over, a component that is missing leave a proof unproven.
 */
export async function proveAll(
  proofs: readonly WorkProof[],
  scene: ProofScene,
): Promise<ProofOutcome[]> {
  const outcomes: ProofOutcome[] = [];
  for (const [at, proof] of proofs.entries()) {
    scene.onStep(`proof ${at + 1} of ${proofs.length}: ${titleOf(proof)}`);
    outcomes.push(await proveOne(proof, scene));
  }
  return outcomes;
}

async function proveOne(proof: WorkProof, scene: ProofScene): Promise<ProofOutcome> {
  if (scene.signal.aborted) return unproven(proof, "it was called off before it was checked");
  try {
    // The table has the one for each kind; TypeScript cannot see that both are of the same kind.
    return await (PROVERS[proof.kind] as Prove<WorkProof["kind"]>)(proof, scene);
  } catch (error) {
    // Fail closed: whatever went wrong, nothing was shown.
    return unproven(proof, `it could not be checked: ${messageOf(error)}`);
  }
}

/** What a proof is about, in a few words. */
export function titleOf(proof: WorkProof): string {
  switch (proof.kind) {
    case "python":
      return `python ${cut(proof.assertion)}`;
    case "test":
      return `test ${cut(proof.name)}`;
    case "command":
      return `command ${cut(proof.argv.join(" "))}`;
    case "http":
      return `http ${proof.port}${cut(proof.path)}`;
    case "diff":
      return `diff ${proof.side} ${cut(proof.contains)}`;
    case "judge":
      return `judge ${cut(proof.criterion)}`;
    default:
      return `${proof.kind} ${cut(proof.path)}`;
  }
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
