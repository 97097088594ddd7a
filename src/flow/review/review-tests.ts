import { messageOf } from "../../base/index.ts";
import type { BlobReader, ChangedFile } from "../../repo/index.ts";
import { type Found, TESTS } from "../../scan/index.ts";
import { isTestMatter, SourceLines } from "../../scan/kind/index.ts";
import type { ChangedSource, WeakenedTest } from "../../scan/weaken/index.ts";
import type { Citation } from "../../schema/finding.ts";
import type { Subject } from "./subject.ts";
import { type BuiltInOutcome, emptyTally, gapOf, type Tally, toOutcome } from "./tally.ts";

const TITLE_CHARS_MAX = 300;
const ABSENT_CHARS_MAX = 500;

/**
 * The built-in reviewer that compares the tests before a change with those after it. What it only
 * notes, such as a test of a file that is gone too, is left to whoever reads the change.
 */
export async function reviewTests(
  { changes }: Subject,
  blobs: BlobReader,
  signal: AbortSignal,
): Promise<BuiltInOutcome> {
  const tally = emptyTally(TESTS);
  tally.given = changes.filter(concerns).length;
  if (tally.given > 0) {
    try {
      signal.throwIfAborted();
      await compareInto(tally, changes, blobs);
      tally.read = tally.given;
    } catch (error) {
      // Whoever fails has found nothing clean, and keeps no other reviewer from speaking.
      tally.gaps.push(gapOf(tally, "everything", messageOf(error)));
    }
  }
  return { ...toOutcome({ ...tally, isStopped: signal.aborted }), isAboutChange: true };
}

async function compareInto(
  tally: Tally,
  changes: readonly ChangedFile[],
  blobs: BlobReader,
): Promise<void> {
  // Most changes touch no test; the parsers are loaded only where one does.
  const [{ readSources }, { findWeakenedTests }] = await Promise.all([
    import("../change/weakened-between.ts"),
    import("../../scan/weaken/index.ts"),
  ]);
  const { sources, unread } = await readSources(changes, blobs);
  const byPath = new Map(sources.map((one) => [one.path, one]));
  for (const one of [...unread, ...findWeakenedTests(sources)]) {
    if (one.severity === "note") continue;
    if (one.kind === "unread") tally.gaps.push(gapOf(tally, one.path, one.message));
    else tally.found.push(toFound(one, byPath.get(one.path) ?? renamed(sources, one.path)));
  }
}

function concerns({ path, oldPath = path }: ChangedFile): boolean {
  return isTestMatter(path) || isTestMatter(oldPath);
}

function renamed(sources: readonly ChangedSource[], path: string): ChangedSource | undefined {
  return sources.find(({ renamedFrom }) => renamedFrom === path);
}

const TITLES: Readonly<Record<WeakenedTest["kind"], string>> = {
  removed: "A test, or something it demanded, was taken out",
  skipped: "A test that ran before does not run any more",
  "renamed-away": "A test that was found by its runner is not found any more",
  loosened: "A test demands less than before",
  replaced: "Code under test changes what tests demand with",
  emptied: "A test has nothing left that can fail",
  unreachable: "A test does not reach what it demanded",
  config: "The settings of the test runner let less count than before",
  unread: "Tests could not be read",
};

function toFound(weakened: WeakenedTest, source: ChangedSource | undefined): Found {
  const { kind, message, isRewrite } = weakened;
  const title = isRewrite ? "A test expects another value than before" : TITLES[kind];
  const about = weakened.test === undefined ? "" : `: ${weakened.test}`;
  return {
    title: `${title}${about}`.slice(0, TITLE_CHARS_MAX).toWellFormed(),
    // What is expected has to change where the program was to change; a person can tell.
    priority: isRewrite ? "P3" : "P2",
    category: isRewrite ? "test-rewritten" : `test-${kind}`,
    ...placeOf(weakened, source),
    // Code that is gone must not look like code that is said to be there.
    issue: message.replaceAll("`", '"'),
    fix: isRewrite
      ? "Check that the program was meant to behave in the new way."
      : "Put back what was demanded, or say in the change why nobody needs it any more.",
  };
}

/** The place that shows it: in the new version, in a deleted file, or a line that is gone from a file. */
function placeOf(
  { path, line, side }: WeakenedTest,
  source: ChangedSource | undefined,
): { citations: Citation[]; absence?: NonNullable<Found["absence"]> } {
  const { before = "", after } = source ?? {};
  if (after === undefined) {
    return { citations: [cite(path, before, line)] };
  }
  const file = source?.path ?? path;
  if (side === "after" || line === undefined) return { citations: [cite(file, after, line)] };
  const gone = new SourceLines({ path, text: before }).textOf(line).trim();
  const text = gone.slice(0, ABSENT_CHARS_MAX).toWellFormed();
  const still = text === "" ? -1 : after.indexOf(text);
  // What was made a comment is still there, and shows it best.
  if (still >= 0) return { citations: [cite(file, after, lineAt(after, still))] };
  const absence = text === "" ? {} : { absence: { text, within: [file] } };
  return { citations: [{ file }], ...absence };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function cite(path: string, text: string, line = 1): Citation {
  return new SourceLines({ path, text }).cite(line);
}
