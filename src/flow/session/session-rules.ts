import type { Profile, RiskClass } from "../../schema/index.ts";

/** What a profile asks of a session, beyond what it asks of every trace. */
export interface SessionRules {
  /** Seats that an agent has to take; in any other the built-in checks may sit. */
  readonly seatsNeeded: readonly ("critic" | "auditor")[];
  /** Whether three others have to vote; else the runtime's own gates decide. */
  readonly isVoted: boolean;
  /** Whether a definition of done that is not met stops it, or is shown in the report. */
  readonly undoneStops: boolean;
  /** Intents of this risk or above are blocked, whoever asks. */
  readonly blockFrom: RiskClass;
  /** What becomes of a claim that leaves something unproven: it is narrowed, or it falls. */
  readonly gaps: "narrowed" | "struck";
  /** How strictly the offline verifier reads the record of the work. */
  readonly verifier: "default" | "strict";
}

/** All that profiles change, in one place. */
export const SESSION_RULES: Readonly<Record<Profile, SessionRules>> = {
  solo: {
    seatsNeeded: [],
    isVoted: false,
    undoneStops: false,
    blockFrom: "critical",
    gaps: "narrowed",
    verifier: "default",
  },
  team: {
    seatsNeeded: [],
    isVoted: true,
    undoneStops: true,
    blockFrom: "critical",
    gaps: "narrowed",
    verifier: "default",
  },
  strict: {
    seatsNeeded: ["critic", "auditor"],
    isVoted: true,
    undoneStops: true,
    blockFrom: "high",
    gaps: "struck",
    verifier: "strict",
  },
};
