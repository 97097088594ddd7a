export { type Executed, type ExecuteOptions, execute, type Printed } from "./execute.ts";
