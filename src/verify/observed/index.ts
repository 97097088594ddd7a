export { runsCheck } from "./check-runs.ts";
export { type Reconciled, reconcile, type Said } from "./reconcile.ts";
export { testCounts } from "./test-counts.ts";
export { definesTests } from "./test-definition.ts";
export { testRunnerOf } from "./test-runner.ts";
export { isPartialRun } from "./test-scope.ts";
