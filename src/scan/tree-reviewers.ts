import { dependency } from "./dependency/index.ts";
import { documents } from "./document/index.ts";
import { duplicate } from "./duplicate/index.ts";
import type { TreeReviewer } from "./reviewer.ts";
import { types } from "./type-check/index.ts";

/** The built-in reviewers that must see all files; `paths` are all that the tree has. */
export function treeReviewers(paths: ReadonlySet<string>): readonly TreeReviewer[] {
  return [duplicate, documents(paths), dependency, types];
}
