import { posix } from "node:path";
import type { SaidWork } from "../../claim/index.ts";
import type { SavedTree } from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import type { ObservedProcess } from "../../run/observe/index.ts";
import type { Observation } from "../../schema/observation.ts";
import { definesTests, isPartialRun, testRunnerOf } from "../../verify/observed/index.ts";

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
/** Behind a module's name: the rest of a file's name, or a file of a folder. */
const ENDING = /^(?:\.[a-z]{1,5}$|\/)/;
const WRITABLE = /^\/(?:workspace|tmp|dev\/shm)(?:\/|$)/;

/**
 * Picks what to repeat: the last test run that ended well, one on the final tree before any other, and of
 * these one of all tests before one of some. Where all of them ended badly, and the tree was changed after
 * that, nobody knows whether they would now.
 * Where one may have run unseen, a command that the agent names. Undefined when no test was claimed, or
 * none of its runs is worth repeating; words when one is, but proves nothing.
 */
export function pickTestRun(scene: SeenTests): TestRun | string | undefined {
  if (!scene.said.some(({ kind }) => kind === "tests")) return undefined;
  const { processes, seen } = scene;
  const isSeen = seen.processes.some(({ argv }) => testRunnerOf(argv) !== undefined);
  const isNamed = processes === undefined || !(isSeen || seen.is_complete);
  const found = isNamed ? namedRun(scene.said) : seenRun(processes, seen);
  // What an earlier run saw pass is not seen in this one.
  const run = found ?? (isSeen || scene.earlier === undefined ? undefined : wholeRun(scene, true));
  if (run === undefined) return undefined;
  const picked = isPartialRun(run.argv) ? (wholeRun(scene) ?? run) : run;
  return whyItProvesNothing(picked, scene.saved) ?? picked;
}

/** Whoever ran some of the tests and speaks of all of them is held to all of them. */
function wholeRun({ said, whole }: SeenTests, isEnough = false): TestRun | undefined {
  const isOfAll = isEnough || said.some((one) => one.kind === "tests" && one.isOfAll);
  return isOfAll && whole !== undefined ? { argv: whole, cwd: AGENT_TREE } : undefined;
}

function seenRun(processes: readonly ObservedProcess[], seen: Observation): TestRun | undefined {
  const isRun = processes.map(({ argv }) => testRunnerOf(argv) !== undefined);
  const outermost = processes.flatMap(({ argv, cwd, exit, parent }, at) => {
    const isOuter = isRun[at] === true && !hasAncestor(processes, parent, isRun);
    if (!isOuter || exit === undefined || cwd === undefined) return [];
    const isOnTree = seen.processes[at]?.tree_after === seen.tree;
    return [{ run: { argv, cwd }, isWell: exit === 0, isOnTree }];
  });
  const well = outermost.filter(({ isWell }) => isWell);
  const here = well.filter(({ isOnTree }) => isOnTree);
  const whole = here.findLast(({ run }) => !isPartialRun(run.argv));
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

/** Whoever wrote the program, or what tells it what a test run is, can have it print what they like. */
function whyItProvesNothing({ argv, cwd }: TestRun, saved: SavedTree): string | undefined {
  const what = `\`${argv.join(" ").slice(0, 200)}\``;
  const within = posix.relative(AGENT_TREE, cwd);
  if (within === ".." || within.startsWith("../")) return `${what} did not run in the tree`;
  const { names, paths, isElsewhere } = definesTests(argv);
  const changed = saved.changed.map(({ path }) => path);
  for (const path of paths) {
    const full = posix.resolve(cwd, path);
    const inTree = posix.relative(AGENT_TREE, full);
    const isOutside = inTree.startsWith("../");
    if (isOutside && WRITABLE.test(full)) return `${what} is a program that the run made itself`;
    if (!isOutside && isTheRuns(inTree, changed, saved.ignored)) {
      return `${what} runs ${inTree}, which is the run's own`;
    }
  }
  const folders = new Set(foldersUp(within));
  const definer = changed.find((path) =>
    names.some((name) => {
      if (path !== name && !path.endsWith(`/${name}`)) return false;
      return isElsewhere || folders.has(path.slice(0, -name.length).replace(/\/$/, ""));
    }),
  );
  return definer && `${definer}, which says what ${what} does, was changed by the run`;
}

/** What is loaded by a name may have an ending, be a folder, or lie behind a link that is the run's. */
function isTheRuns(path: string, changed: readonly string[], ignored: readonly string[]): boolean {
  return (
    changed.some(
      (one) =>
        one === path ||
        path.startsWith(`${one}/`) ||
        (one.startsWith(path) && ENDING.test(one.slice(path.length))),
    ) || ignored.some((one) => `${path}/`.startsWith(one) || one === path)
  );
}

/** A folder of the tree and all above it, up to the top. */
function foldersUp(within: string): string[] {
  const parts = within.split("/").filter((part) => part !== "" && part !== ".");
  return Array.from({ length: parts.length + 1 }, (_, at) => parts.slice(0, at).join("/"));
}
