import type { SaidWork } from "../../claim/index.ts";
import type { SavedTree } from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import type { ObservedProcess } from "../../run/observe/index.ts";
import type { Observation } from "../../schema/observation.ts";
import { isPartialRun, isTestRun, mayRunTests, testRunnerOf } from "../../verify/observed/index.ts";
import { whyItProvesNothing } from "./whose-tests.ts";

/** A command that the runtime may run once more, to count for itself. */
export interface TestRun {
  readonly argv: readonly string[];
  /** As it is called inside. */
  readonly cwd: string;
  /** Whether it was seen to end badly: then one more bad end says so, also without a count. */
  readonly hasFailed?: true;
}

/** What is known when an agent has said that tests pass. */
export interface SeenTests {
  readonly said: readonly SaidWork[];
  readonly seen: Observation;
  /** The same processes as in the observation, in the same order; undefined when they were only glimpsed. */
  readonly processes: readonly ObservedProcess[] | undefined;
  readonly saved: SavedTree;
  /** What runs all tests, where the project says so. */
  readonly whole?: readonly string[] | undefined;
  /** What all runs of its chain changed together, for one that goes on from another. */
  readonly earlier?: Observation["changed"] | undefined;
}

/** What a shell would not take apart. */
const PLAIN_WORD = /^[\w@%+=:,./-]{1,200}$/;

/**
 * Picks what to repeat: the last test run that ended well, one on the final tree before any other, and of
 * these one of all tests before one of some. Where all of them ended badly, and the tree was changed after
 * that, nobody knows whether they would now.
 * Where one may have run unseen, a command that the agent names. Undefined when no test was claimed, or
 * none of its runs is worth repeating; words when one is, but proves nothing.
 */
export function pickTestRun(scene: SeenTests): TestRun | string | undefined {
  if (!scene.said.some(({ kind }) => kind === "tests")) return undefined;
  const { processes, seen, whole } = scene;
  const isSeen = seen.processes.some(({ argv }) => isTestRun(argv, whole));
  const isNamed = processes === undefined || !(isSeen || seen.is_complete);
  const found = isNamed ? namedRun(scene.said) : seenRun(processes, scene);
  // What an earlier run saw pass is not seen in this one, nor what ran in a way that is not known here.
  const isElse =
    scene.earlier !== undefined || seen.processes.some(({ argv }) => mayRunTests(argv));
  const run = found ?? (isSeen || !isElse ? undefined : wholeRun(scene, true));
  if (run === undefined) return undefined;
  const isPartial = isPartialRun(run.argv, run.cwd, whole);
  const picked = isPartial ? (wholeRun(scene) ?? run) : run;
  return whyItProvesNothing(picked, scene.saved) ?? picked;
}

/** Whoever ran some of the tests and speaks of all of them is held to all of them. */
function wholeRun({ said, whole }: SeenTests, isEnough = false): TestRun | undefined {
  const isOfAll = isEnough || said.some((one) => one.kind === "tests" && one.isOfAll);
  return isOfAll && whole !== undefined ? { argv: whole, cwd: AGENT_TREE } : undefined;
}

function seenRun(
  processes: readonly ObservedProcess[],
  { seen, whole: told }: Pick<SeenTests, "seen" | "whole">,
): TestRun | undefined {
  const isRun = processes.map(({ argv }) => isTestRun(argv, told));
  const outermost = processes.flatMap(({ argv, cwd, exit, parent }, at) => {
    const isOuter = isRun[at] === true && !hasAncestor(processes, parent, isRun);
    if (!isOuter || exit === undefined || cwd === undefined) return [];
    const isOnTree = seen.processes[at]?.tree_after === seen.tree;
    return [{ run: { argv, cwd }, isWell: exit === 0, isOnTree }];
  });
  const well = outermost.filter(({ isWell }) => isWell);
  const here = well.filter(({ isOnTree }) => isOnTree);
  const whole = here.findLast(({ run }) => !isPartialRun(run.argv, run.cwd, told));
  const isDecided = outermost.some(({ isOnTree }) => isOnTree);
  const good = whole ?? here.at(-1) ?? well.at(-1);
  const bad = isDecided || good !== undefined ? undefined : outermost.at(-1);
  return bad === undefined ? good?.run : { ...bad.run, hasFailed: true };
}

function hasAncestor(
  processes: readonly ObservedProcess[],
  parent: number | undefined,
  isRun: readonly boolean[],
): boolean {
  // A parent comes before its children in the list, so this ends.
  for (let at = parent; at !== undefined; at = processes[at]?.parent) {
    if (isRun[at] === true) return true;
  }
  return false;
}

function namedRun(said: readonly SaidWork[]): TestRun | undefined {
  for (const one of said) {
    if (one.kind !== "command") continue;
    const argv = one.command.split(/\s+/).filter((word) => word !== "");
    const isPlain = argv.every((word) => PLAIN_WORD.test(word));
    if (isPlain && testRunnerOf(argv) !== undefined) return { argv, cwd: AGENT_TREE };
  }
  return undefined;
}
