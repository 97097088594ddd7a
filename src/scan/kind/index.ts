export { type FileKind, fileKind } from "./file-kind.ts";
export { isGenerated, isLockfile, isMarked } from "./generated.ts";
export type { Form } from "./languages.ts";
export { SourceLines } from "./source-lines.ts";
export { isVendored } from "./vendored.ts";
