export { isReadable } from "../syntax/readable.ts";
export { demandedWith } from "./demanded-with.ts";
export { demandsNothing } from "./demands-nothing.ts";
export { findWeakenedTests } from "./find-weakened-tests.ts";
export { languageOfMarks } from "./test-marks.ts";
export { testsIn } from "./tests-in.ts";
export type { ChangedSource, WeakenedKind, WeakenedTest } from "./weakened-test.ts";
