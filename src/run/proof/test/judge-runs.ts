import type { ProofOutcome } from "../../../schema/work-proof.ts";
import { fail, pass, unproven } from "../outcome.ts";

/** What one run says about the named test. */
export interface TestRun {
  /** `broken`: it was not reported, because the run as a whole failed. */
  readonly state: "green" | "red" | "skipped" | "absent" | "broken" | "undecided";
  readonly executed: number;
  readonly why: string;
  readonly output: string;
}

/** Runs the test once on one of three trees. */
export type Try = (on: "before" | "after" | "reverted") => Promise<TestRun>;

/** What is known of a test before it is run. */
export interface KnownTest {
  /** Whether the work changed no test, so that both runs without it are on the same files. */
  readonly areTestsOld: boolean;
  /** Looks whether nothing in it can fail. */
  readonly isEmpty: () => Promise<boolean>;
}

/**
 * Judges a test by its runs, two at a time, and no more than it takes. It has to be red
 * before the work, green after it, and red when the work is taken out and the tests stay.
 */
export async function judgeRuns(
  proof: ProofOutcome["proof"],
  tryOn: Try,
  { areTestsOld, isEmpty }: KnownTest,
): Promise<ProofOutcome> {
  const say = (make: typeof fail, reason: string, { output }: TestRun) =>
    make(proof, reason, output);
  const [first, done] = await Promise.all([tryOn("before"), tryOn("after")]);
  if (first.state === "undecided") return say(unproven, `before the work: ${first.why}`, first);
  if (first.state === "green") {
    return say(fail, "it passes before the work, so that it shows nothing about it", first);
  }
  if (done.state !== "green") return afterwards(proof, done, tryOn);
  const [reverted, again] = await Promise.all([tryOn("reverted"), tryOn("after")]);
  // It was not there yet: then what counts is the new test on the old code.
  const isRed = first.state === "red";
  const without = isRed ? first : await tryOn("reverted");
  const wrong = judgeReverted(proof, [without, reverted], !isRed || areTestsOld);
  if (wrong !== undefined) return wrong;
  if (again.state !== "green") return say(unproven, flaky("with the work", "passed"), again);
  if (reverted.state === "broken" && (await isEmpty())) {
    return say(
      fail,
      "it demands nothing, and is red without the work only because it cannot be loaded there: give it an assertion",
      done,
    );
  }
  const how = reverted.state === "broken" ? ", where it cannot be loaded" : "";
  const reason = `red before, green after (${done.executed} executed), red again without the work${how}`;
  return say(pass, reason, done);
}

async function afterwards(
  proof: ProofOutcome["proof"],
  done: TestRun,
  tryOn: Try,
): Promise<ProofOutcome> {
  if (done.state === "undecided")
    return unproven(proof, `after the work: ${done.why}`, done.output);
  if (done.state === "skipped") {
    return fail(proof, "it was skipped after the work, expected it to run", done.output);
  }
  if (done.state === "absent") {
    return fail(proof, "no test of that name ran after the work", done.output);
  }
  const again = await tryOn("after");
  if (again.state === "green")
    return unproven(proof, flaky("with the work", "failed"), done.output);
  const how = done.state === "red" ? "it fails" : `it could not run (${done.why})`;
  return fail(proof, `${how} after the work, expected it to pass`, done.output);
}

/** Why the runs without the work do not speak for it. */
function judgeReverted(
  proof: ProofOutcome["proof"],
  [one, two]: readonly [TestRun, TestRun],
  areOnSameFiles: boolean,
): ProofOutcome | undefined {
  const isRed = ({ state }: TestRun) => state === "red" || state === "broken";
  if (isRed(one) && isRed(two)) return undefined;
  const other = isRed(one) ? two : one;
  if (other.state === "undecided") {
    return unproven(proof, `without the work: ${other.why}`, other.output);
  }
  if (other.state !== "green") {
    const what = `it did not run (${other.state})`;
    return unproven(proof, `without the work ${what}, so that nothing made it fail`, other.output);
  }
  return isRed(one) !== isRed(two) && areOnSameFiles
    ? unproven(proof, flaky("without the work", "failed"), other.output)
    : fail(
        proof,
        "it passes without the work too, so that it shows nothing about it",
        other.output,
      );
}

function flaky(where: string, then: string): string {
  const now = then === "passed" ? "did not" : "passed";
  return `${where} it ${then} in one run and ${now} in another on the same files: it is not reliable`;
}
