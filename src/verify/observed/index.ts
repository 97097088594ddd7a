export { runsCheck } from "./check-runs.ts";
export { reconcile, type Said } from "./reconcile.ts";
export type { Reconciled } from "./reconciled.ts";
export { testCounts } from "./test-counts.ts";
export { definesTests } from "./test-definition.ts";
export { isOnlyStarter, mayRunTests, testRunnerOf } from "./test-runner.ts";
export { isPartialRun, isTestRun } from "./test-scope.ts";
