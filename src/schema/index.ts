export { BODIES, type Body, EnrolledAgent, EVENT_TYPES, type EventType, Policy } from "./body.ts";
export { BEAT_PHASES, type BeatOpened, BeatPhase } from "./cadence.ts";
export * from "./entry.ts";
export { Digest, KeyId, Name, PublicKeyText, Text, TraceId } from "./id.ts";
export * from "./limits.ts";
export {
  MessageId,
  MessageKind,
  RUNNER_KINDS,
  ThreadKind,
} from "./message.ts";
export { Proof } from "./proof.ts";
export {
  CHECKS,
  type CheckId,
  FAILURES,
  type Failure,
  type FailureCode,
  VerificationReport,
} from "./report.ts";
export { EventRequest, type RequestedArtifact } from "./request.ts";
export { Profile, RISK_CLASSES, RiskClass, ROLES, Role } from "./role.ts";
export type { Vote } from "./vote.ts";
