import { messageOf } from "../base/index.ts";
import { FILE_REVIEWERS } from "./file-reviewers.ts";
import type { FileOutcome, FileQuestion } from "./pool.ts";
import type { SourceFile } from "./reviewer.ts";

/** What each of some reviewers says about a file. */
export function outcomesOf({ file, reviewers }: FileQuestion): FileOutcome[] {
  return reviewers.map((name) => outcomeOf(name, file));
}

/** A reviewer that fails on a file has not reviewed it; the others still have. */
function outcomeOf(name: string, file: SourceFile): FileOutcome {
  try {
    const reviewer = FILE_REVIEWERS.find((one) => one.name === name);
    if (!reviewer) return { reviewer: name, failed: "there is no such reviewer" };
    const passedOver = reviewer.passesOver?.(file);
    if (passedOver !== undefined) return { reviewer: name, passedOver };
    const leftOut: string[] = [];
    const found = reviewer.review(file, (why) => leftOut.push(why));
    return { reviewer: name, found, leftOut };
  } catch (error) {
    return { reviewer: name, failed: messageOf(error) };
  }
}
