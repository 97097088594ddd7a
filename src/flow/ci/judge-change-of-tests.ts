import type { UntouchedTests } from "../../claim/index.ts";
import { inlineTests, isFixture } from "../../scan/kind/index.ts";
import { isReadable, type WeakenedTest } from "../../scan/weaken/index.ts";
import type { CiCheck, CiClaim } from "../../schema/ci-report.ts";
import type { Observation } from "../../schema/observation.ts";
import type { SourceTree } from "../../verify/citation/index.ts";
import type { TestFiles } from "./test-files.ts";
import { isUncounted } from "./what-runs-show.ts";

export type Judged = Pick<CiClaim, "verdict" | "why">;
type Changed = Observation["changed"][number];

interface Change {
  /** The source at head, then at base. */
  readonly trees: readonly SourceTree[];
  readonly changed: Observation["changed"];
  readonly weakened: readonly WeakenedTest[];
  readonly isWeakened: boolean;
  readonly files: TestFiles;
}

/** That no test was removed, changed or touched: the change itself says whether it is so. */
export async function judgeKeptTests(
  { denied, path }: Pick<UntouchedTests, "denied" | "path">,
  change: Change,
): Promise<Judged> {
  if (path !== undefined) return judgeKeptFile(path, change);
  const tests = change.changed.filter(({ path }) => isOfTests(path, change.files));
  const old = tests.filter(({ how }) => how !== "added");
  const found =
    denied === "loss" || denied === "weakening"
      ? judgeLoss(old, change, denied)
      : await judgeTouch({ tests, old, denied }, change);
  return found.verdict === "confirmed" ? ((await untold(change)) ?? found) : found;
}

async function judgeTouch(
  about: {
    readonly tests: readonly Changed[];
    readonly old: readonly Changed[];
    readonly denied: "change" | "touch";
  },
  change: Change,
): Promise<Judged> {
  const { tests, old, denied } = about;
  const against = denied === "touch" ? tests : await notOnlyGrown(old, change.trees);
  if (against.length > 0) return { verdict: "refuted", why: toldChanges(against) };
  if (old.length > 0) return { verdict: "unverified", why: grownWords(old) };
  if (change.isWeakened) {
    const why = "no file of tests was changed, and the change takes something away from them";
    return { verdict: "unverified", why };
  }
  const why = tests.length === 0 ? "no file of tests is in the change" : "tests were only added";
  return { verdict: "confirmed", why };
}

/** One file, by its whole path, or by the end of it where no file has it as a whole. */
async function judgeKeptFile(path: string, { changed, trees }: Change): Promise<Judged> {
  const there = new Set(changed.map((one) => one.path));
  for (const tree of trees) for (const one of await tree.paths()) there.add(one);
  const isMeant = (one: string) => (there.has(path) ? one === path : one.endsWith(`/${path}`));
  const found = changed.find((one) => isMeant(one.path));
  if (found !== undefined) return { verdict: "refuted", why: `${found.path} was ${found.how}` };
  return [...there].some(isMeant)
    ? { verdict: "confirmed", why: `the change does not touch ${path}` }
    : { verdict: "unverified", why: `there is no file ${path}` };
}

function isOfTests(path: string, files: TestFiles): boolean {
  return files.isTest(path) || isFixture(path);
}

/** That no test is touched is known when every file that is touched is known to be none. */
async function untold(change: Change): Promise<Judged | undefined> {
  const { changed, files } = change;
  const others = changed.filter(({ path }) => !isOfTests(path, files));
  const may = others.map(({ path }) => files.mayBe(path)).find((why) => why !== undefined);
  const why = (await inlineLoss(change)) ?? may;
  return why === undefined
    ? undefined
    : { verdict: "unverified", why: `cannot tell which files are tests: ${why}` };
}

/** Why tests may be lost that stand in a file with what they test: those of base are not all there any more. */
export async function inlineLoss({
  trees: [now, before],
  changed,
  files,
}: Pick<Change, "trees" | "changed" | "files">): Promise<string | undefined> {
  for (const { path, how } of changed) {
    if (how === "added" || isOfTests(path, files)) continue;
    const old = inlineTests(path, await textOf(before, path));
    if (old === "") continue;
    const there = inlineTests(path, await textOf(now, path));
    if (!hasAllOf(old.split("\n"), there.split("\n"))) return `${path} holds some of its own`;
  }
  return undefined;
}

async function textOf(tree: SourceTree | undefined, path: string): Promise<string> {
  return (await linesOf(tree, path))?.join("\n") ?? "";
}

function toldChanges(changes: readonly Changed[]): string {
  const [first] = changes;
  const more = changes.length > 1 ? `, and ${changes.length - 1} more` : "";
  return `${first?.path} was ${first?.how}${more}`;
}

/** A new line can change what the old ones do; that is not to be seen from the lines. */
function grownWords(files: readonly Changed[]): string {
  return `${files[0]?.path} has new lines; none of its old ones is changed`;
}

function judgeLoss(
  old: readonly Changed[],
  { weakened, isWeakened }: Change,
  denied: "loss" | "weakening",
): Judged {
  const lost = weakened.filter(({ severity, isRewrite }) => severity === "weakened" && !isRewrite);
  const gone = lost.find((one) => isGone(one) || (denied === "weakening" && one.kind !== "unread"));
  if (gone !== undefined) return { verdict: "refuted", why: gone.message };
  const [other] = lost;
  if (other !== undefined) return { verdict: "unverified", why: other.message };
  const unread = old.find(({ path }) => !isReadable(path));
  if (isWeakened || unread !== undefined) {
    const why = `nothing here reads which tests ${unread?.path ?? "it"} has`;
    return { verdict: "unverified", why };
  }
  const why =
    old.length === 0 ? "no file of tests was changed" : "every test of base is still there";
  return { verdict: "confirmed", why };
}

/** A test as a whole, and not one of the things that it demands. */
function isGone({ kind, side }: WeakenedTest): boolean {
  return kind === "renamed-away" || (kind === "removed" && side === "before");
}

/** Those of which a line was changed or taken away, or whose lines cannot be compared. */
export async function notOnlyGrown(
  files: readonly Changed[],
  [now, before]: readonly SourceTree[],
): Promise<Changed[]> {
  const against: Changed[] = [];
  for (const file of files) {
    const [lines, old] = [await linesOf(now, file.path), await linesOf(before, file.path)];
    if (lines === undefined || old === undefined || !hasAllOf(old, lines)) against.push(file);
  }
  return against;
}

async function linesOf(tree: SourceTree | undefined, path: string): Promise<string[] | undefined> {
  const entry = await tree?.find(path);
  return entry?.kind === "file"
    ? Buffer.from(entry.bytes).toString("latin1").split("\n")
    : undefined;
}

/** Whether lines are still there, in their order. */
function hasAllOf(old: readonly string[], lines: readonly string[]): boolean {
  let at = 0;
  for (const line of lines) if (at < old.length && line === old[at]) at += 1;
  return at === old.length;
}

/**
 * That tests were added: as many more have to run on head as on base. Tests that no declared check runs,
 * and those that took the place of others, are not to be seen in these figures.
 */
export function judgeAddedTests(
  count: number,
  { changed, checks, files }: Pick<Change, "changed" | "files"> & { checks: readonly CiCheck[] },
): Judged {
  const more = checks.flatMap(({ is_tests, base, head }) => {
    const [before, now] = [ranIn(base), ranIn(head)];
    return is_tests && !isUncounted({ base, head }) && before !== undefined && now !== undefined
      ? [now - before]
      : [];
  });
  // Several checks can run the same tests: what one of them shows is certain, and their sum is not.
  const grown = more.length === 0 ? 0 : Math.max(...more);
  const isIn = changed.some(({ path, how }) => isOfTests(path, files) && how !== "deleted");
  const told =
    more.length === 0
      ? "no check counted the tests of base and of head"
      : grown < 0
        ? `${-grown} fewer ran on head than on base`
        : `${grown} more ran on head than on base`;
  if (isIn && more.length > 0 && grown >= count) return { verdict: "confirmed", why: told };
  if (isIn || more.length === 0 || grown > 0) return { verdict: "unverified", why: told };
  return { verdict: "refuted", why: `no file of tests is in the change, and ${told}` };
}

/** Undefined where nobody counted: what broke off before its first test ran is no count of none. */
function ranIn({ state, tests }: CiCheck["head"]): number | undefined {
  if (tests === null) return state === "no-tests" ? 0 : undefined;
  return tests.unit === "test" ? tests.passed + tests.failed : undefined;
}
