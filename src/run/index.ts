export * from "./agent-preamble.ts";
export * from "./execute/index.ts";
export { type ToldRun, toldRules } from "./told-rules.ts";
export * from "./workspace/index.ts";
