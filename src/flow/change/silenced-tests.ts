import { counted } from "../../base/index.ts";
import type { Repository } from "../../repo/index.ts";
import { filesNaming, printedTests, readCommitFile } from "../../run/proof/index.ts";
import { isTestName } from "../../scan/kind/index.ts";
import { testsIn } from "../../scan/weaken/index.ts";
import { testCounts } from "../../verify/observed/index.ts";
import { changedBetween } from "./changed-between.ts";
import { weakenedBetween } from "./weakened-between.ts";

const SHOWN_MAX = 10;
const FILES_MAX = 2_000;
/** As Node.js calls a file that ended without telling of a test in it: one test that went well. */
const FILE_TITLE = /\/[^/]+\.[cm]?[jt]sx?$/;

/** The same command on a commit, and all that it printed: what a report shows of that is cut. */
export interface PrintedRun {
  readonly commit: string;
  readonly printed: string;
}

/** The same on the commit that a change began with and on the one that it left. */
export interface TwoRuns {
  readonly before: PrintedRun;
  readonly after: PrintedRun;
  /** In a word, as it is called where the answer is read: the work, the run, the change. */
  readonly what: string;
}

/**
 * Tests that ran before a change, still stand in the test files, and were not seen to run after it: code
 * that ends its runner early, or skips what it is asked, makes a run that counts fewer tests and calls
 * itself well. A test that was taken out or renamed is another matter, and looked at elsewhere.
 */
export async function silencedTests(
  repository: Repository,
  { before, after, what }: TwoRuns,
): Promise<readonly string[]> {
  if (before.commit === after.commit) return [];
  const [then, now] = [ranIn(before), ranIn(after)];
  const timesNow = (title: string) => now.get(title)?.times ?? 0;
  const missing = [...then].filter(([title, { times }]) => timesNow(title) < times);
  const titles = missing.map(([title]) => title);
  const standing = await filesNaming(titles, repository, after.commit);
  const silenced = missing.flatMap(([title, { times, state }]) => {
    const files = standing.get(title) ?? [];
    const isGone = timesNow(title) < Math.min(times, files.length);
    const words = `test ${JSON.stringify(title)} of ${files[0]} ${state} before the ${what}, and did not run after it`;
    return isGone ? { title, files, words } : [];
  });
  if (silenced.length > 0) {
    const isTold = await toldElsewhere(repository, before.commit, after.commit);
    const untold = silenced.filter(({ title, files }) => !isTold(title, files));
    if (untold.length > 0) return untold.slice(0, SHOWN_MAX).map(({ words }) => words);
  }
  const isHidden = (title: string) => FILE_TITLE.test(title) && !then.has(title);
  const hidden = [...now.keys()].filter(isHidden).length;
  return fewerRuns(repository, { before, after, what, hidden });
}

/** Which tests the files of tests themselves skip now, or have in a comment: that is said as what it is. */
async function toldElsewhere(
  repository: Repository,
  before: string,
  after: string,
): Promise<(title: string, files: readonly string[]) => boolean> {
  const found = await weakenedBetween(repository, before, after);
  const taken = found.filter(({ kind }) => kind === "removed" || kind === "skipped");
  const titles = new Set(taken.flatMap(({ test = "" }) => test.split(" > ").at(-1) ?? []));
  const skipping = new Set(taken.flatMap(({ kind, path }) => (kind === "skipped" ? path : [])));
  return (title, files) => titles.has(title) || files.some((path) => skipping.has(path));
}

interface RanTest {
  readonly times: number;
  readonly state: "passed" | "failed";
}

/** What ran, by its title: a test that was skipped did not. Of those that failed some runners speak twice. */
function ranIn({ printed }: PrintedRun): ReadonlyMap<string, RanTest> {
  const found = new Map<string, RanTest>();
  for (const { path, state } of printedTests(printed)) {
    const title = path.at(-1);
    if (title === undefined || state === "skipped") continue;
    const { times = 0, state: was } = found.get(title) ?? {};
    const isAgain = state === "failed" && was === "failed";
    found.set(title, { times: isAgain ? times : times + 1, state });
  }
  return found;
}

/** Numbers tell where names do not: fewer, and not because some were taken out of the files of tests. */
async function fewerRuns(
  repository: Repository,
  { before, after, what, hidden }: TwoRuns & { readonly hidden: number },
): Promise<readonly string[]> {
  const [then, now] = [testCounts(before.printed), testCounts(after.printed)];
  if (then === undefined || now === undefined || then.unit !== now.unit) return [];
  const [ranThen, ranNow] = [then.passed + then.failed, now.passed + now.failed - hidden];
  if (ranNow >= ranThen) return [];
  const removed = await testsTakenOut(repository, before.commit, after.commit);
  const skipped = await testsSkipped(repository, { before, after });
  if (ranThen - ranNow <= removed + skipped) return [];
  return [`${counted(ranThen, "test")} ran before the ${what}, and ${ranNow} after it`];
}

/**
 * Sums that were not printed before: tests, and what they test, can print one beside their runner's.
 *
 * @param runners how many runners were seen to run; undefined where nobody watched
 */
export function moreSums({ before, after, what }: TwoRuns, runners = 0): readonly string[] {
  const [then, now] = [sumsIn(before), sumsIn(after)];
  if (then === 0 || now <= Math.max(then, runners)) return [];
  const sums = `${counted(then, "sum")} of tests before the ${what}, and ${now} after it`;
  return [`what it printed has ${sums}: not each is a runner's own`];
}

function sumsIn({ printed }: PrintedRun): number {
  const counts = testCounts(printed);
  return counts === undefined ? 0 : (counts.parts?.length ?? 1);
}

/** How many are skipped more than before, where the files of tests say so themselves. */
async function testsSkipped(
  repository: Repository,
  { before, after }: Pick<TwoRuns, "before" | "after">,
): Promise<number> {
  const [then, now] = [before, after].map(({ printed }) => testCounts(printed)?.skipped ?? 0);
  const more = (now ?? 0) - (then ?? 0);
  if (more <= 0) return 0;
  const found = await weakenedBetween(repository, before.commit, after.commit);
  return found.some(({ kind }) => kind === "skipped") ? more : 0;
}

/** How many tests the files of tests have less than before, as far as they can be read. */
async function testsTakenOut(
  repository: Repository,
  before: string,
  after: string,
): Promise<number> {
  const changed = (await changedBetween(repository, before, after))
    .filter(({ path, how }) => isTestName(path) && how !== "added")
    .slice(0, FILES_MAX);
  let removed = 0;
  for (const { path } of changed) {
    const [old, now] = await Promise.all(
      [before, after].map((commit) => testsAt(repository, commit, path)),
    );
    removed += Math.max(0, (old ?? 0) - (now ?? 0));
  }
  return removed;
}

async function testsAt(repository: Repository, commit: string, path: string): Promise<number> {
  const file = await readCommitFile(repository, commit, path);
  return file.state === "text" ? testsIn(path, file.text) : 0;
}
