export { type Board, boardOf } from "./board.ts";
export type { BusMessage } from "./bus.ts";
export { hasResolvingEvidence } from "./evidence.ts";
export { standingClaims } from "./finalizing.ts";
export { apply, judge, linksOf, possibleNext } from "./fold.ts";
export { PROTOCOL } from "./protocol.ts";
export { type Refusal, type Rule, refuse } from "./refusal.ts";
export {
  type Event,
  emptySession,
  FINAL_STATES,
  runtimeKeysOf,
  type Session,
  type SessionState,
  STATES,
} from "./session.ts";
export {
  type AskedQuestion,
  applyTalk,
  BOARD_DIGEST,
  emptyTalk,
  type KnownFact,
  type KnownRun,
  STATE_NOTE,
  type Talk,
} from "./talk.ts";
export { messageIdOf, seqOfMessage } from "./talking.ts";
