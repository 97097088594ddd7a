export { type Executed, type ExecuteOptions, execute, type Printed } from "./execute.ts";
export { StepGate } from "./step-gate.ts";
