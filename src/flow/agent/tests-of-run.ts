import { posix } from "node:path";
import type { Repository, SavedTree } from "../../repo/index.ts";
import { AGENT_TREE } from "../../run/index.ts";
import { fileKind, isTestName } from "../../scan/kind/index.ts";
import { isReadable, type WeakenedTest } from "../../scan/weaken/index.ts";
import type { Observation } from "../../schema/observation.ts";
import { mayRunTests, testRunnerOf } from "../../verify/observed/index.ts";
import { withSourceTrees } from "../change/source-tree.ts";
import { weakenedBetween } from "../change/weakened-between.ts";
import { inlineLoss, notOnlyGrown } from "../ci/judge-change-of-tests.ts";
import { type Started, type TestFiles, testFiles } from "../ci/test-files.ts";

/** A run, and what it was seen to start. */
export interface RunWithTests {
  readonly repository: Repository;
  readonly base: string;
  readonly saved: Pick<SavedTree, "commit" | "changed">;
  readonly processes: Observation["processes"];
  /** What runs all tests, where the project says so. */
  readonly whole: readonly string[] | undefined;
}

/** What a run did to the tests. */
export interface TestsOfRun {
  /** What it took away from them, and where nobody can say whether it did. */
  readonly weakened: readonly WeakenedTest[];
  readonly files: TestFiles;
}

export async function testsOfRun(run: RunWithTests): Promise<TestsOfRun> {
  const { repository, base, saved } = run;
  const isChanged = saved.changed.length > 0;
  const read = isChanged ? await weakenedBetween(repository, base, saved.commit) : [];
  const changed = [...saved.changed];
  const about = { commands: commandsOf(run), weakened: read, changed };
  const files = await testFiles(repository, base, about);
  return { weakened: isChanged ? [...read, ...(await unreadTests(run, files))] : [], files };
}

/** What is to be known of a run's tests, also where its agent says nothing of them. */
export function testNotes(
  { changed, processes, is_complete }: Observation,
  tests: TestsOfRun | undefined,
): string[] {
  if (tests === undefined) return [];
  const isCode = changed.some(({ path }) => fileKind(path, "").form === "code");
  const isRun = processes.some(({ argv }) => testRunnerOf(argv) !== undefined || mayRunTests(argv));
  const far = is_complete ? "" : ", as far as could be seen";
  const lost = tests.weakened.filter(
    ({ severity, isRewrite }) => severity === "weakened" && !isRewrite,
  );
  const more = lost.length > 1 ? `, and ${lost.length - 1} more` : "";
  return [
    ...(isCode && !isRun ? [`tests: none was run${far}`] : []),
    ...lost
      .slice(0, 1)
      .map(({ message }) => `tests: it changed what they demand: ${message}${more}`),
  ];
}

function commandsOf({ processes, whole }: RunWithTests): Started[] {
  const seen = processes.flatMap(({ argv, cwd }) => {
    const folder = posix.relative(AGENT_TREE, cwd === "" ? AGENT_TREE : cwd);
    const isRun = testRunnerOf(argv) !== undefined && !folder.startsWith("..");
    return isRun ? [{ argv, folder }] : [];
  });
  return whole === undefined ? seen : [{ argv: whole, folder: "" }, ...seen];
}

/** Tests that nothing here reads, of which lines are gone: whether they demand as much as before is not known. */
async function unreadTests(run: RunWithTests, files: TestFiles): Promise<WeakenedTest[]> {
  const { repository, base, saved } = run;
  return withSourceTrees(repository, [saved.commit, base], async (trees) => {
    const changed = [...saved.changed];
    const isUnread = (path: string) => (isTestName(path) && !isReadable(path)) || files.isRun(path);
    const tests = changed.filter(({ path, how }) => how !== "added" && isUnread(path));
    const lost = await inlineLoss({ trees, changed, files });
    return [
      ...(await notOnlyGrown(tests, trees)).map(({ path, how }) =>
        unread(path, `${path} was ${how}, and nothing here reads what it demands`),
      ),
      ...(lost === undefined ? [] : [unread("", `cannot tell which files are tests: ${lost}`)]),
    ];
  });
}

function unread(path: string, message: string): WeakenedTest {
  return { kind: "unread", severity: "weakened", path, side: "after", message };
}
