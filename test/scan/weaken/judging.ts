import { expect, test } from "vitest";
import { type ChangedSource, findWeakenedTests } from "../../../src/scan/weaken/index.ts";

/** Findings as `weakened loosened 3`: severity, kind, line. */
export function judged(files: readonly ChangedSource[]): string[] {
  return findWeakenedTests(files).map(({ severity, kind, line }) =>
    [severity, kind, ...(line === undefined ? [] : [line])].join(" "),
  );
}

export const messages = (files: readonly ChangedSource[]): string[] =>
  findWeakenedTests(files).map(({ message }) => message);

/** A change of one file, and what has to be found in it. */
export type Case = readonly [name: string, before: string, after: string, ...found: string[]];

export function check(cases: readonly Case[], path: string): void {
  test.each(cases.map(([name, before, after, ...found]) => ({ name, before, after, found })))(
    "$name",
    ({ before, after, found }) => expect(judged([{ path, before, after }])).toEqual(found),
  );
}
