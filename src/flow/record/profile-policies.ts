import type { Policy, Profile } from "../../schema/index.ts";

/** What each profile asks for. The mechanisms are the same; only the thresholds differ. */
export const POLICIES: Readonly<Record<Profile, Policy>> = {
  /** One agent at work: the critic is asked only where damage would be hard to undo. */
  solo: { approval_from: "high", evidence_min: 1, attempts_max: 3, rework_max: 2, fallback: true },
  /** Several people rely on it: anything beyond harmless is looked at first. */
  team: {
    approval_from: "medium",
    evidence_min: 1,
    attempts_max: 3,
    rework_max: 2,
    fallback: true,
  },
  /** Every step is approved, every claim has two independent origins, nothing is improvised. */
  strict: {
    approval_from: "low",
    evidence_min: 2,
    attempts_max: 2,
    rework_max: 1,
    fallback: false,
  },
};
