export { type Reconciled, reconcile, type Said } from "./reconcile.ts";
export { testCounts } from "./test-counts.ts";
export { testRunnerOf } from "./test-runner.ts";
