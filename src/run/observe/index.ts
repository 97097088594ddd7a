export { isCache, newestChange } from "./newest-change.ts";
export type { ObservedProcess } from "./observed-process.ts";
export { type Observed, readTrace } from "./read-trace.ts";
