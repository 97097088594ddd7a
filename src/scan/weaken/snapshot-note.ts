import { isFixture, isSnapshot } from "../kind/index.ts";
import type { ChangedSource, WeakenedTest } from "./weakened-test.ts";

/**
 * Stored results that were rewritten: whatever the program gives now counts as right. Fixtures are told
 * of as well: they are what tests expect or are fed with, and a test is bent by either.
 */
export function snapshotNote({ path, before, after }: ChangedSource): WeakenedTest[] {
  const isStored = isSnapshot(path);
  if ((!isStored && !isFixture(path)) || before === undefined) return [];
  const place = { path, side: after === undefined ? "before" : "after", severity: "note" } as const;
  if (after === undefined) {
    return [
      {
        ...place,
        kind: "removed",
        message: isStored
          ? `The stored results in ${path} are gone`
          : `The fixture ${path} is gone`,
      },
    ];
  }
  const kept = new Set(after.split("\n"));
  const lines = before.split("\n").filter((line) => line.trim() !== "" && !kept.has(line)).length;
  if (lines === 0) return [];
  const what = lines === 1 ? "1 line" : `${lines} lines`;
  return [
    {
      ...place,
      kind: "loosened",
      message: isStored
        ? `Expectation rewritten: ${what} of the stored results in ${path} changed`
        : `Expected value changed, perhaps: ${what} of the fixture ${path} changed`,
    },
  ];
}
