/** How urgent a finding is. P1 can block a change, P3 is advice. */
export const PRIORITIES = ["P1", "P2", "P3"] as const;
export type Priority = (typeof PRIORITIES)[number];
