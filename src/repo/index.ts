export type { AddedLines } from "./added-lines.ts";
export type { BlobContent } from "./blob-answers.ts";
export type { BlobReader, BlobReaderOptions } from "./blob-reader.ts";
export type { ChangedFile } from "./changed-files.ts";
export type { Environment } from "./git-environment.ts";
export type { EntryKind, GitPath } from "./git-path.ts";
export type { Base, Range } from "./range.ts";
export { Repository, type RepositoryOptions } from "./repository.ts";
export type { TreeEntry } from "./tree-listing.ts";
