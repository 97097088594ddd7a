export { FILE_REVIEWERS } from "./file-reviewers.ts";
export { type FileOutcome, ReviewPool } from "./pool.ts";
export type { FileReviewer, Found, SourceFile, TreeReading, TreeReviewer } from "./reviewer.ts";
export { LANGUAGES_READ } from "./syntax/index.ts";
export { treeReviewers } from "./tree-reviewers.ts";
