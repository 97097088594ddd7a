export { CitationChecker, checkFinding } from "./check-finding.ts";
export { normalizePath } from "./cited-path.ts";
export { identified, identityOf } from "./identity.ts";
export type { SourceEntry, SourceTree } from "./source-tree.ts";
