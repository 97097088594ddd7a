import { isTestMatter } from "./kind/index.ts";
import type { Member } from "./reviewer.ts";

/** What is said of the built-in reviewer for tests. */
export const TESTS: Member = {
  name: "tests",
  role: "looks for tests that demand less than before the change",
  prefix: "TST",
  covers: isTestMatter,
};

/** Who compares what was before a change with what is after it; of a tree alone they say nothing. */
export const CHANGE_MEMBERS: readonly Member[] = [TESTS];
