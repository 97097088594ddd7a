export { CHANGE_MEMBERS, TESTS } from "./change-members.ts";
export { FILE_MEMBERS } from "./file-members.ts";
export { type FileOutcome, ReviewPool } from "./pool.ts";
export type { FileMember, Found, SourceFile, TreeReading, TreeReviewer } from "./reviewer.ts";
export { LANGUAGES_READ } from "./syntax/readable.ts";
export { treeReviewers } from "./tree-reviewers.ts";
