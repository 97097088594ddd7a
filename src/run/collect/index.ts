export { type Collected, type CollectedFile, collectOutput } from "./collect-output.ts";
export { type JudgedFile, type JudgedOutput, judgeOutput } from "./judge-output.ts";
export { type Removed, removeTree } from "./remove-tree.ts";
export type { RefusedEntry } from "./walk-output.ts";
