import { posix } from "node:path";
import type { SavedTree } from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import type { ObservedProcess } from "../../run/observe/index.ts";
import { isTestCode } from "../../scan/kind/index.ts";
import { isReadable } from "../../scan/weaken/index.ts";
import { definesTests, isOnlyStarter } from "../../verify/observed/index.ts";
import type { TestRun } from "./pick-test-run.ts";

/** Behind a module's name: the rest of a file's name, or a file of a folder. */
const ENDING = /^(?:\.[a-z]{1,5}$|\/)/;
const WRITABLE = /^\/(?:workspace|tmp|dev\/shm)(?:\/|$)/;

/**
 * Why a test run proves nothing; undefined where it may. Whoever wrote the program, or what tells it
 * what a test run is, can have it print what they like.
 */
export function whyItProvesNothing(run: TestRun, saved: SavedTree): string | undefined {
  const within = posix.relative(AGENT_TREE, run.cwd);
  if (within === ".." || within.startsWith("../")) return `${named(run)} did not run in the tree`;
  const { paths } = definesTests(run.argv);
  const isMade = paths.some((path) => {
    const full = posix.resolve(run.cwd, path);
    return posix.relative(AGENT_TREE, full).startsWith("../") && WRITABLE.test(full);
  });
  if (isMade) return `${named(run)} is a program that the run made itself`;
  return whatIsOwn(run, saved);
}

/**
 * The same of what a test run started, down to what ran the tests: a script that it hands over to, or a
 * runner among what is installed, can be the run's own where the command is not. What a run did to the
 * tests themselves is another question.
 */
export function whyNoneOfItProves(
  processes: readonly ObservedProcess[],
  saved: SavedTree,
): string | undefined {
  const isBelow: boolean[] = [];
  for (const [at, { argv, cwd, parent }] of processes.entries()) {
    // A parent comes before its children in the list.
    const above = parent === undefined ? undefined : processes[parent];
    isBelow[at] = above !== undefined && (isBelow[parent ?? 0] || !isOnlyStarter(above.argv));
    if (isBelow[at] || cwd === undefined) continue;
    // Nothing that git ignores is on the tree that this ran on.
    const own = whatIsOwn({ argv, cwd }, { ...saved, ignored: [] }, isReadTest);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** What a change takes away from these is looked at elsewhere. */
const isReadTest = (path: string): boolean => isTestCode(path) && isReadable(path);

function whatIsOwn(
  run: TestRun,
  { changed, ignored }: Pick<SavedTree, "changed" | "ignored">,
  isLeft: (path: string) => boolean = () => false,
): string | undefined {
  const { names, paths, isElsewhere } = definesTests(run.argv);
  const all = changed.map(({ path }) => path);
  const own = paths
    .map((path) => posix.relative(AGENT_TREE, posix.resolve(run.cwd, path)))
    .find((path) => !isLeft(path) && isTheRuns(path, all, ignored));
  if (own !== undefined) return `${named(run)} runs ${own}, which is the run's own`;
  const folders = new Set(foldersUp(posix.relative(AGENT_TREE, run.cwd)));
  const definer = all.find((path) =>
    names.some((name) => {
      if (path !== name && !path.endsWith(`/${name}`)) return false;
      return isElsewhere || folders.has(path.slice(0, -name.length).replace(/\/$/, ""));
    }),
  );
  return definer && `${definer}, which says what ${named(run)} does, was changed by the run`;
}

const named = ({ argv }: TestRun): string => `\`${argv.join(" ").slice(0, 200)}\``;

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
