export * from "./checkpoint.ts";
export * from "./entry.ts";
export * from "./proof.ts";
export * from "./tree.ts";
