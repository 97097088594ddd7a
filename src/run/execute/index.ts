export { type Executed, type ExecuteOptions, execute, type Printed } from "./execute.ts";
export { type Patience, RunWatch, type WatchedProcess } from "./run-watch.ts";
export { StepGate } from "./step-gate.ts";
