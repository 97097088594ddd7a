export * from "./annotations.ts";
export * from "./authentic-findings.ts";
export { fitted } from "./display-width.ts";
export * from "./page.ts";
export * from "./sarif.ts";
export * from "./summary.ts";
export * from "./tome.ts";
export { oneLine } from "./visible-text.ts";
