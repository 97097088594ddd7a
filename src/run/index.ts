export * from "./execute/index.ts";
export * from "./workspace/index.ts";
