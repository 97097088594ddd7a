import { basename } from "node:path";
import { type Json, parseJson } from "../../base/index.ts";
import type { CommitMaker, RawChange, Repository } from "../../repo/index.ts";
import { readCommitFile, saysHowTestsRun } from "../../run/proof/index.ts";
import { isPipeline, isRunnerFile, isTestCode, isUnreadTest } from "../../scan/kind/index.ts";
import type { Sides } from "./find-sides.ts";
import type { TestFiles } from "./test-files.ts";

const GONE = "000000";
const PACKAGE = "package.json";
const PACKAGE_BYTES_MAX = 1 << 20;
/** What of a package.json says how tests are run; the rest of it is the program's. */
const PACKAGE_KEYS = [
  ...["scripts", "jest", "babel", "mocha", "vitest", "ava", "tap", "nyc", "c8"],
];

/** Head with the tests of base. */
export interface OldTests {
  readonly commit: string;
  /** The files that are as they were at base. */
  readonly paths: readonly string[];
  /** Whether one of them says which tests run or how, rather than being a test. */
  readonly isSetup: boolean;
  /** One that may be what is tested, and no test: with it as it was, the runs show less. */
  readonly unclear: string | undefined;
  /** Whether one is a test that the change deletes, of a language in which nothing more is known of it. */
  readonly isTestGone: boolean;
}

/**
 * A commit with the program of head and the tests of base: files of tests, what they are compared with,
 * and what says which of them run and how. Undefined when the change touches none of it. It is put
 * together by git alone: no link of either side is ever followed.
 *
 * @param commands what runs tests; a script of the project's own that they name is a test's too
 * @param files which files are tests, as far as base says
 */
export async function withOldTests(
  repository: Repository,
  { base, head }: Sides,
  commands: readonly (readonly string[])[],
  files: TestFiles,
): Promise<OldTests | undefined> {
  const back = await repository.rawChanges(head, base);
  const named = new Set(commands.flat().map((word) => word.replace(/^(?:\.\/)+/, "")));
  const tests = inTheWay(back, (path) => isOfTests(path, files) || named.has(path));
  const maker = repository.commitMaker();
  const packages = await Promise.all(
    back
      .filter(({ path }) => basename(path) === PACKAGE && !tests.some((one) => one.path === path))
      .map((change) => oldPackage(change, { repository, maker, base, head })),
  );
  const changes = [...tests, ...packages.flatMap((change) => change ?? [])];
  if (changes.length === 0) return undefined;
  // What has to go first: a file stands where a folder is to be, or the other way round.
  const ordered = [...changes.filter(isGone), ...changes.filter((change) => !isGone(change))];
  const commit = await maker.withChanges(head, ordered, "head with the tests of base");
  const paths = changes.map(({ path }) => path);
  const isSetup = paths.some(
    (path) => named.has(path) || isRunnerFile(path) || saysHowTestsRun(path),
  );
  // Nobody can say what the deletion of a test takes away that is run here and not read.
  const isTestGone = changes.some(({ path, before }) => before.mode === GONE && isUnreadTest(path));
  const unclear = paths.find((path) => files.isRun(path) && !named.has(path));
  return { commit, paths, isSetup, unclear, isTestGone };
}

const isGone = ({ after }: RawChange): boolean => after.mode === GONE;

function isOfTests(path: string, files: TestFiles): boolean {
  if (basename(path) === PACKAGE && !isTestCode(path)) return false;
  const isOne = [files.isTest, files.isRun, isRunnerFile, isPipeline, saysHowTestsRun];
  return isOne.some((is) => is(path));
}

/** The changes that are of tests, and those that stand in the place of one: a link instead of a folder. */
function inTheWay(back: readonly RawChange[], isOne: (path: string) => boolean): RawChange[] {
  const chosen = new Set(back.filter(({ path }) => isOne(path)).map(({ raw }) => raw));
  const above = new Set([...chosen].flatMap(foldersOf));
  return back.filter(
    ({ raw }) =>
      chosen.has(raw) || above.has(raw) || foldersOf(raw).some((folder) => chosen.has(folder)),
  );
}

function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Head's own, with what base says about tests; as it was at base where one of the two cannot be read. */
async function oldPackage(
  change: RawChange,
  about: {
    readonly repository: Repository;
    readonly maker: CommitMaker;
    readonly base: string;
    readonly head: string;
  },
): Promise<RawChange | undefined> {
  const { repository, maker, base, head } = about;
  const now = await membersOf(repository, head, change.path);
  const old = await membersOf(repository, base, change.path);
  if (old === "absent") return undefined;
  if (typeof now === "string" || old === "unread") return change;
  const isSame = PACKAGE_KEYS.every(
    (key) => JSON.stringify(now.get(key)) === JSON.stringify(old.get(key)),
  );
  if (isSame) return undefined;
  const kept = [...now].filter(([key]) => !PACKAGE_KEYS.includes(key));
  const said = [...old].filter(([key]) => PACKAGE_KEYS.includes(key));
  const text = `${JSON.stringify(Object.fromEntries([...kept, ...said]), null, 2)}\n`;
  const id = await maker.blob(Buffer.from(text));
  return { ...change, after: { ...change.after, id } };
}

async function membersOf(
  repository: Repository,
  commit: string,
  path: string,
): Promise<ReadonlyMap<string, Json> | "absent" | "unread"> {
  const file = await readCommitFile(repository, commit, path);
  if (file.state !== "text") return file.state;
  try {
    const value = parseJson(file.text, PACKAGE_BYTES_MAX);
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    return isObject ? new Map(Object.entries(value)) : "unread";
  } catch {
    // What cannot be read may say anything about tests.
    return "unread";
  }
}
