export { type ExtractedFile, type Extraction, extractFiles } from "./extract-files.ts";
export type { ExtractForm, LineRange, PartAside, RefusedPart } from "./part.ts";
export { type WrittenFiles, writeFiles } from "./write-files.ts";
