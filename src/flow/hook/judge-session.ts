import { posix } from "node:path";
import { type SaidWork, untouchedTests } from "../../claim/index.ts";
import { isTestName } from "../../scan/kind/index.ts";
import type { Observation } from "../../schema/observation.ts";
import type { SourceEntry, SourceTree } from "../../verify/citation/index.ts";
import { judgeChangeWords } from "../change/judge-change-words.ts";
import type { ChangeSeen } from "../change/judge-part.ts";
import { writtenTests } from "../change/written-tests.ts";
import { notOnlyGrown } from "../ci/judge-change-of-tests.ts";
import type { Call } from "./calls.ts";

const CHANGED_MAX = 500;
/** Then what was changed may be in a commit by now, or be gone with one. */
const MOVES_ON =
  /\bgit\s(?:-\S+\s\S*\s?)?(?:commit|merge|pull|rebase|cherry-pick|am|revert|checkout|switch|reset|stash|restore|worktree|clean)\b|\b(?:gh|glab|jj|hg|svn|sl|gt)\s/;
/** Of a file also what is added to it is a change. */
const OF_FILES = /\bfiles?\b|datei|fichier|archivo|文件|ファイル/i;
const SKIPS =
  /\.(?:skip|todo)\b|\bx(?:it|test|describe)\s?\(|@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|\bt\.Skip|#\[ignore/g;

/** A session whose own record is there from its beginning, and the source as it is and as it was committed. */
export interface Session {
  readonly trees: readonly [now: SourceTree, committed: SourceTree];
  /** Files that look otherwise than they were committed. */
  readonly uncommitted: readonly string[];
  readonly calls: readonly Call[];
}

/** Whether a record shows all that its session did to files that are not committed. */
export const isOfOneCommit = (calls: readonly Call[]): boolean =>
  !calls.some(({ command = "" }) => MOVES_ON.test(command));

/**
 * What a session says of files that are as they were committed, and that nothing in its record names. Never a
 * refutation: others may have changed them, at its wish and unseen.
 */
export async function untouchedByAll(
  { path, how }: Extract<SaidWork, { kind: "file" }>,
  { trees: [now, committed], calls }: Session,
): Promise<string | undefined> {
  if (isNamed(path, calls)) return undefined;
  const meant = (await committed.paths()).filter((one) => one === path || one.endsWith(`/${path}`));
  if (how === "deleted") {
    return meant.length > 0 ? undefined : `${path} was not in the last commit`;
  }
  for (const one of meant) {
    if (!isSame(await now.find(one), await committed.find(one))) return undefined;
  }
  return meant.length === 0
    ? undefined
    : `${path} is as it was committed, and nothing here shows that it was changed`;
}

/** What is said of the content of a change that is not committed, and that it does not show. */
export async function notInChange(message: string, session: Session): Promise<string[]> {
  const seen = await changeOf(session);
  if (seen === undefined) return [];
  const files = { isTest: isTestName, mayBe: () => undefined };
  const open = (await judgeChangeWords(message, seen, files)).filter(
    ({ verdict, kind, why }) =>
      verdict !== "confirmed" &&
      // What was changed before the session began is nobody's lie.
      ((kind !== "kept-files" && kind !== "only-files") ||
        isNamed(why.split(" ")[0] ?? "", session.calls)),
  );
  const words = open.map(({ text, why }) => `"${text}": since the last commit, ${why}`);
  return [...words, ...(await touchedTests(message, seen, session.calls))];
}

/** Of tests that were changed before the session began it may say that they were not. */
async function touchedTests(
  message: string,
  seen: ChangeSeen,
  calls: readonly Call[],
): Promise<string[]> {
  const tests = seen.changed.filter(({ path }) => isTestName(path) && isNamed(path, calls));
  if (tests.length === 0) return [];
  const open: string[] = [];
  for (const { text, denied, path } of untouchedTests(message)) {
    const meant = tests.filter((one) => path === undefined || one.path.endsWith(path));
    const why = await whyTouched(OF_FILES.test(text) ? "touch" : denied, meant, seen);
    if (why !== undefined) open.push(`"${text}": since the last commit, ${why}`);
  }
  return open;
}

async function whyTouched(
  denied: ReturnType<typeof untouchedTests>[number]["denied"],
  tests: Observation["changed"],
  { trees }: ChangeSeen,
): Promise<string | undefined> {
  const old = tests.filter(({ how }) => how !== "added");
  if (denied === "touch" || denied === "change") {
    const [first] = denied === "touch" ? tests : await notOnlyGrown(old, trees);
    return first && `${first.path} was ${first.how}`;
  }
  const more = await writtenTests(
    old.map(({ path }) => path),
    trees,
  );
  if (more !== undefined && more < 0) return `${-more} fewer tests are written`;
  if (denied === "loss") return undefined;
  for (const { path } of old) {
    const [there, was] = [await skipsIn(trees[0], path), await skipsIn(trees[1], path)];
    if (there > was) return `more tests of ${path} are skipped`;
  }
  return undefined;
}

async function skipsIn(tree: SourceTree | undefined, path: string): Promise<number> {
  const entry = await tree?.find(path);
  if (entry?.kind !== "file") return 0;
  return Buffer.from(entry.bytes).toString("utf8").match(SKIPS)?.length ?? 0;
}

/** By their bytes: a file that only looks changed is not. Undefined where there are too many to look at. */
async function changeOf({ trees, uncommitted }: Session): Promise<ChangeSeen | undefined> {
  if (uncommitted.length > CHANGED_MAX) return undefined;
  const changed: Observation["changed"] = [];
  for (const path of uncommitted) {
    const [now, was] = [await trees[0].find(path), await trees[1].find(path)];
    if (isSame(now, was)) continue;
    const how = was.kind === "absent" ? "added" : now.kind === "absent" ? "deleted" : "modified";
    changed.push({ path, how });
  }
  return { trees, changed };
}

function isSame(one: SourceEntry, other: SourceEntry): boolean {
  if (one.kind !== "file" || other.kind !== "file") {
    return one.kind === "absent" && other.kind === "absent";
  }
  return Buffer.from(one.bytes).equals(other.bytes);
}

/** By the last part of its name, which stands in whatever a tool was told. */
function isNamed(path: string, calls: readonly Call[]): boolean {
  const name = posix.basename(path);
  return calls.some(({ command, about }) => `${command ?? ""} ${about ?? ""}`.includes(name));
}
