export * from "./kept-folder.ts";
export { type LaidOut, layOutInput } from "./lay-out-input.ts";
export { RunFolder, reapRunFolders } from "./run-folder.ts";
