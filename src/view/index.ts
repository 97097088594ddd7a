export { agreementIn, isAboutCommit } from "./agreement.ts";
export { type Board, boardOf } from "./board.ts";
export type { BusMessage } from "./bus.ts";
export {
  type Cadence,
  compareMoments,
  emptyCadence,
  isBefore,
  isRunOut,
  type Moment,
} from "./cadence.ts";
export { hasResolvingEvidence } from "./evidence.ts";
export { standingClaims } from "./finalizing.ts";
export { apply, judge, linksOf, possibleNext } from "./fold.ts";
export {
  decisionsIn,
  type ShownProof,
  shownProofs,
  testTally,
  votesIn,
} from "./packet-parts.ts";
export { PROTOCOL } from "./protocol.ts";
export { type Refusal, type Rule, refuse } from "./refusal.ts";
export { refutedWords, WORKER_SAID } from "./refuted-words.ts";
export {
  type CompletionView,
  type Event,
  emptySession,
  FINAL_STATES,
  type ReviewPhase,
  runtimeKeysOf,
  type Session,
  type SessionState,
  STATES,
} from "./session.ts";
export {
  type ProposedCommit,
  proposedCommit,
  sessionContract,
  sessionReport,
  startIn,
} from "./session-report.ts";
export {
  type AskedQuestion,
  applyTalk,
  BOARD_DIGEST,
  emptyTalk,
  HANDOVER,
  type KnownFact,
  type KnownRun,
  PLAN_DIGEST,
  STATE_NOTE,
  type Talk,
} from "./talk.ts";
export { messageIdOf, seqOfMessage } from "./talking.ts";
export {
  provenance,
  type StatedTask,
  testResult,
  verificationSummary,
} from "./task-statements.ts";
export {
  countVotes,
  quorumGaps,
  type Seat,
  seatOf,
  type VoteCounts,
  type VoteVerdict,
  verdictOf,
} from "./vote-table.ts";
export { countedVotes } from "./voting.ts";
export { weakenedTests, weakenedWords } from "./weakened-tests.ts";
