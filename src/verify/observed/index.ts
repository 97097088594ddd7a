export { type Reconciled, reconcile, type Said } from "./reconcile.ts";
export { testCounts } from "./test-counts.ts";
export { definesTests } from "./test-definition.ts";
export { mayRunTests, testRunnerOf } from "./test-runner.ts";
export { isPartialRun } from "./test-scope.ts";
