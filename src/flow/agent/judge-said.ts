import { messageOf } from "../../base/index.ts";
import type { SaidWork } from "../../claim/index.ts";
import type { WeakenedTest } from "../../scan/weaken/index.ts";
import type { Observation } from "../../schema/observation.ts";
import { isTestRun, type Reconciled, reconcile } from "../../verify/observed/index.ts";
import type { JudgedWords } from "./judge-words.ts";
import { pickTestRun, type SeenTests } from "./pick-test-run.ts";
import { type Rerun, type RerunScene, rerunTests } from "./rerun-tests.ts";

/** What an agent said, and what was found about it. */
export interface JudgedWork {
  /** What was seen, with what the runtime ran itself. */
  readonly seen: Observation;
  readonly said: readonly JudgedClaim[];
}

/** Something that an agent said, and what was found about it. */
export type JudgedClaim = Reconciled & { readonly claim: SaidWork | JudgedWords["claim"] };

/**
 * Holds what an agent said against what was seen. Where it said that tests pass, and its own test
 * run was seen to end well, the runtime runs them once more and counts for itself. A repetition that
 * says nothing changes nothing, and its reason is told.
 *
 * @param again Undefined when nothing is to be run: then a count is never known.
 * @param weakened What the run took away from the tests: then that they pass says less.
 */
export async function judgeSaid(
  scene: SeenTests,
  again: RerunScene | undefined,
  weakened: readonly WeakenedTest[] = [],
): Promise<JudgedWork> {
  const run = again?.signal.aborted === false ? pickTestRun(scene) : undefined;
  const came = await repeated(run, again);
  const seen =
    came?.kind === "counted"
      ? { ...scene.seen, processes: [...scene.seen.processes, came.process] }
      : scene.seen;
  const doubt = whyLess(came, weakened);
  const said = scene.said.map((claim) => {
    const found = inChain(reconcile(claim, seen, scene.whole), claim, seen, scene);
    const isOpen = claim.kind === "tests" && found.verdict === "UNVERIFIED";
    const reason =
      isOpen && came?.kind === "unknown" ? `${found.reason}; ${came.why}` : found.reason;
    const less = claim.kind === "tests" && found.verdict === "CONFIRMED" ? doubt : undefined;
    if (less !== undefined) {
      return { claim, verdict: "UNVERIFIED" as const, reason: `${reason}; but ${less}` };
    }
    return { claim, ...found, reason };
  });
  return { seen, said: await withMissing(withoutEcho(said), again) };
}

/** Why it says less that tests pass: some demand less than before, or did not run. */
function whyLess(came: Rerun | undefined, weakened: readonly WeakenedTest[]): string | undefined {
  const lost = weakened.find(({ severity, isRewrite }) => severity === "weakened" && !isRewrite);
  if (lost === undefined) return came?.kind === "counted" ? came.silenced[0] : undefined;
  const what = "the run took something away from the tests: ";
  return lost.kind === "unread" ? lost.message : `${what}${lost.message}`;
}

/** What was left open because nobody looked into files is closed by whoever did. */
export function withWords(
  ofWork: readonly JudgedClaim[],
  words: readonly JudgedWords[],
): (JudgedClaim | JudgedWords)[] {
  const isClosed = (said: JudgedClaim): boolean =>
    words.some((one) => one.claim.text === said.claim.text && isOutdone(said, one));
  return [...ofWork.filter((one) => !isClosed(one)), ...words];
}

function isOutdone({ claim, verdict }: JudgedClaim, { claim: word, ...by }: JudgedWords): boolean {
  if (word.kind === "only-files") {
    // That it was changed is half of what was said.
    const isHalf = claim.kind === "file" || (claim.kind === "check" && claim.check === "scope");
    return isHalf && verdict !== "HALLUCINATED";
  }
  if (verdict !== "UNVERIFIED" || by.verdict === "UNVERIFIED") return false;
  if (word.kind === "dependencies") return claim.kind === "check";
  const isOfParts = word.kind === "part" || word.kind === "added-tests";
  return isOfParts && claim.kind === "file" && claim.isPart === true;
}

/** Of one sentence that says that tests ran and passed, the worse half is the verdict on it. */
function withoutEcho(said: readonly JudgedClaim[]): JudgedClaim[] {
  const doubted = said.filter(
    ({ claim, verdict }) => claim.kind === "tests" && verdict !== "CONFIRMED",
  );
  return said.filter(
    ({ claim, verdict }) =>
      claim.kind !== "command" ||
      verdict !== "CONFIRMED" ||
      !doubted.some((one) => one.claim.text === claim.text),
  );
}

/** What changed tells that a file did not; the saved tree tells that there is none. */
async function withMissing(
  said: readonly JudgedClaim[],
  again: RerunScene | undefined,
): Promise<JudgedClaim[]> {
  const isOpen = ({ claim, verdict }: JudgedClaim) =>
    claim.kind === "file" && claim.how === "modified" && verdict === "HALLUCINATED";
  if (again === undefined || !said.some(isOpen)) return [...said];
  const paths: string[] = [];
  for await (const { path } of again.repository.listTree(again.saved.commit)) paths.push(path);
  const isThere = (name: string) => paths.some((one) => one === name || one.endsWith(`/${name}`));
  const isGone = (name: string) => again.saved.changed.some(({ path }) => path === name);
  return said.map((one) => {
    if (!isOpen(one) || one.claim.kind !== "file") return one;
    const { path } = one.claim;
    return isThere(path) || isGone(path)
      ? one
      : { ...one, reason: `there is no such file: ${path}` };
  });
}

/** What a run that goes on from others says may be about what those did. */
function inChain(
  found: Reconciled,
  claim: SaidWork,
  seen: Observation,
  { earlier, whole }: Pick<SeenTests, "earlier" | "whole">,
): Reconciled {
  if (earlier === undefined || found.verdict === "CONFIRMED") return found;
  if (claim.kind === "file") {
    const all = reconcile(claim, { ...seen, changed: earlier });
    const isLess = found.verdict === "HALLUCINATED" && all.verdict === "UNVERIFIED";
    return all.verdict === "CONFIRMED" || isLess
      ? { ...all, reason: `${all.reason} since the first run` }
      : found;
  }
  // What was seen of tests was seen in this run.
  const isSeen = seen.processes.some(({ argv }) => isTestRun(argv, whole));
  if (found.verdict !== "HALLUCINATED" || (claim.kind === "tests" && isSeen)) return found;
  const reason = `${found.reason} in this run; what earlier ones did was not looked at`;
  return { verdict: "UNVERIFIED", reason };
}

async function repeated(
  run: ReturnType<typeof pickTestRun>,
  again: RerunScene | undefined,
): Promise<Rerun | undefined> {
  if (run === undefined || again === undefined) return undefined;
  if (typeof run === "string") return { kind: "unknown", why: run };
  try {
    return await rerunTests(run, again);
  } catch (error) {
    // The agent's work is saved; that its tests could not be repeated makes them unknown, no more.
    return { kind: "unknown", why: `its tests could not be run once more: ${messageOf(error)}` };
  }
}
