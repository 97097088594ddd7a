import { correctness } from "./correctness/index.ts";
import type { FileReviewer } from "./reviewer.ts";
import { secret } from "./secret/index.ts";
import { security } from "./security/index.ts";

/** The built-in reviewers that judge each file by itself. */
export const FILE_REVIEWERS: readonly FileReviewer[] = [security, secret, correctness];
