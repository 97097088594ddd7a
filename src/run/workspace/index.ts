export { closedFolder } from "./closed-folder.ts";
export { FIXED, fixedEnvironment } from "./fixed-environment.ts";
export * from "./kept-folder.ts";
export { type LaidOut, layOutInput } from "./lay-out-input.ts";
export { RunFolder, reapFolders } from "./run-folder.ts";
