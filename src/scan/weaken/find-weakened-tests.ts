import { isPipeline, isRunnerFile, isTestCode } from "../kind/index.ts";
import { isReadable } from "../syntax/readable.ts";
import { changedConstants } from "./changed-constants.ts";
import { ChangedTests } from "./changed-tests.ts";
import { comparePipeline } from "./compare-pipeline.ts";
import { compareSettings } from "./compare-settings.ts";
import { markedTests } from "./marked-tests.ts";
import { ownSubjects } from "./own-subject.ts";
import { mayHoldTests } from "./read-test-file.ts";
import { replacedInSource } from "./replaced-in-source.ts";
import { snapshotNote } from "./snapshot-note.ts";
import type { ChangedSource, WeakenedTest } from "./weakened-test.ts";

/** More than this nobody reads; how many were left out is said. */
const FOUND_MAX = 1_000;
/** All texts of one change together. */
const CHARS_MAX = 64 * (1 << 20);

/**
 * Finds what a change takes away from the tests: tests that are removed, skipped, emptied or no
 * longer found by their runner, assertions that demand less or are never reached, and settings that
 * let fewer tests run. It judges by syntax and name; nothing is run. What could not be read is a
 * finding too: silence means that it was looked at.
 */
export function findWeakenedTests(files: readonly ChangedSource[]): readonly WeakenedTest[] {
  const changed = files.filter(
    ({ path, before, after, renamedFrom }) => before !== after || (renamedFrom ?? path) !== path,
  );
  const chars = changed.reduce(
    (sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0),
    0,
  );
  if (chars > CHARS_MAX) {
    const message = `the change has ${chars} characters, more than ${CHARS_MAX}: whether tests were weakened was not judged`;
    return [
      {
        kind: "unread",
        severity: "weakened",
        path: changed[0]?.path ?? "",
        side: "after",
        message,
      },
    ];
  }
  const found = [
    ...changed.filter(({ path }) => isRunnerFile(path)).flatMap(compareSettings),
    ...changed.filter(({ path }) => isPipeline(path)).flatMap(comparePipeline),
    ...changed.flatMap(snapshotNote),
    ...markedTests(changed),
    ...changed.filter(isTestSource).flatMap(changedConstants),
    ...changed.filter(({ path }) => !isTestCode(path)).flatMap(replacedInSource),
    ...changed.flatMap((one) => ownSubjects(one, changed)),
    ...new ChangedTests(changed, changed.filter(isTestSource)).findings(),
  ];
  if (found.length <= FOUND_MAX) return found;
  const [first] = found;
  const message = `${found.length - FOUND_MAX} more findings are left out`;
  const more = {
    kind: "unread",
    severity: "weakened",
    path: first?.path ?? "",
    side: "after",
    message,
  } as const;
  return [...found.toSorted(bySeverity).slice(0, FOUND_MAX), more];
}

function bySeverity(a: WeakenedTest, b: WeakenedTest): number {
  return Number(a.severity === "note") - Number(b.severity === "note");
}

function isTestSource({
  path,
  before = "",
  after = "",
  renamedFrom = path,
}: ChangedSource): boolean {
  if (!isReadable(path) && !isReadable(renamedFrom)) return false;
  return (
    isTestCode(path) ||
    mayHoldTests(renamedFrom, before) ||
    // A new file elsewhere is where a test may have moved to.
    mayHoldTests(path, after)
  );
}
