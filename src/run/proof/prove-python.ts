import { fail, pass, unproven } from "./outcome.ts";
import type { Prove } from "./scene.ts";

/** An assertion about `result` holds. One that could not run to its end has shown nothing. */
export const provePython: Prove<"python"> = async (proof, { python, result, noResult }) => {
  if (result === undefined) {
    const why = noResult === undefined ? "" : `: ${noResult}`;
    return unproven(proof, `there is no result that the assertion could look at${why}`);
  }
  const word = await python.judge(proof.assertion, result);
  switch (word.kind) {
    case "holds":
      return pass(proof, `it holds (${word.checks} checked)`);
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
