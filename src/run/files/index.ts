export { printedIn } from "./printed-in.ts";
export { readRunInfo } from "./read-run-info.ts";
export { type RunEnd, RunFiles, type RunStart } from "./run-files.ts";
