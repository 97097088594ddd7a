import type { Vote } from "../schema/index.ts";

/** What each vote means. It is said to whoever votes, so that two reviewers mean the same by it. */
export const RUBRIC: Readonly<Record<Vote, string>> = {
  green: "does what was asked, is shown to by the record, and what is left is no risk",
  yellow: "may go out if named repairs are made, each with an owner and a deadline",
  red: "breaks a requirement, a decision or a rule, or puts something at risk; says how to fix it",
};
