export { hasResolvingEvidence, standingClaims } from "./claiming.ts";
export { apply, judge, linksOf, possibleNext } from "./fold.ts";
export { PROTOCOL } from "./protocol.ts";
export { type Refusal, refuse, type Rule } from "./refusal.ts";
export { emptySession, type Event, FINAL_STATES, type Session, type SessionState, STATES } from "./session.ts";
