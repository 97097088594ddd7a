import { garbledResults } from "./garbled.ts";
import { fail, pass, unproven } from "./outcome.ts";
import type { ProofScene, Prove } from "./scene.ts";

/**
 * An assertion about `result` holds, and would not hold for any other. One that could not run to its
 * end has shown nothing.
 */
export const provePython: Prove<"python"> = async (proof, scene) => {
  const { python, result, noResult } = scene;
  if (result === undefined) {
    const why = noResult === undefined ? "" : `: ${noResult}`;
    return unproven(proof, `there is no result that the assertion could look at${why}`);
  }
  const word = await python.judge(proof.assertion, result);
  switch (word.kind) {
    case "holds":
      return (await canFail(proof.assertion, scene))
        ? pass(proof, `it holds (${word.checks} checked)`)
        : unproven(
            proof,
            "it cannot fail: it holds as well for a result with other values and for none",
          );
    case "fails": {
      const isFalse = word.error === "AssertionError";
      const what = isFalse ? `it does not hold: ${word.why}` : `${word.error}: ${word.why}`;
      return fail(proof, what, `result = ${word.result}`);
    }
    case "refused":
      return unproven(proof, `the assertion is refused: ${word.why}`);
    case "ended":
      return unproven(proof, `the assertion was ended (${word.by}): ${word.why}`);
    case "unavailable":
      return unproven(proof, word.why);
  }
};

/** Whether some result that nobody could want is not good enough for an assertion. */
async function canFail(
  assertion: string,
  { python, result = null, resultKeys = [], isWorkersResult = false }: ProofScene,
): Promise<boolean> {
  for (const garbled of garbledResults(result, resultKeys, isWorkersResult)) {
    if ((await python.judge(assertion, garbled)).kind !== "holds") return true;
  }
  return false;
}
