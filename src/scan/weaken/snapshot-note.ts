import { isSnapshot } from "../kind/index.ts";
import type { ChangedSource, WeakenedTest } from "./weakened-test.ts";

/** Stored results that were rewritten: whatever the program gives now counts as right. */
export function snapshotNote({ path, before, after }: ChangedSource): WeakenedTest[] {
  if (!isSnapshot(path) || before === undefined) return [];
  const place = { path, side: after === undefined ? "before" : "after", severity: "note" } as const;
  if (after === undefined) {
    return [{ ...place, kind: "removed", message: `The stored results in ${path} are gone` }];
  }
  const kept = new Set(after.split("\n"));
  const lines = before.split("\n").filter((line) => line.trim() !== "" && !kept.has(line)).length;
  if (lines === 0) return [];
  const what = lines === 1 ? "1 line" : `${lines} lines`;
  return [
    {
      ...place,
      kind: "loosened",
      message: `Expectation rewritten: ${what} of the stored results in ${path} changed`,
    },
  ];
}
