import * as z from "zod";
import { Digest, TraceId } from "./id.ts";

/** The checks of a verification, in the order in which they are made and reported. */
export const CHECKS = [
  "CHK_SCHEMA_CONFORMANCE",
  "CHK_EVENT_HASH_INTEGRITY",
  "CHK_CHAIN_CONTINUITY",
  "CHK_SIGNATURE_VALIDITY",
  "CHK_KEY_STATUS",
  "CHK_ARTIFACT_EXISTENCE",
  "CHK_ARTIFACT_HASH_MATCH",
  "CHK_CLAIM_EVIDENCE_SUFFICIENCY",
  "CHK_ROLE_POLICY_CONFORMANCE",
  "CHK_FINALIZATION_INTEGRITY",
  "CHK_EVENT_ORDERING",
  "CHK_STATE_TRANSITIONS",
  "CHK_CHECKPOINT",
  "CHK_EVIDENCE_FIRST",
  "CHK_PACKAGING",
] as const;
export type CheckId = (typeof CHECKS)[number];

/** How bad a failure is. A warning never fails a verification; everything else does. */
export const Severity = z.enum(["critical", "high", "medium", "warning"]);
export type Severity = z.infer<typeof Severity>;

/** Every failure code: the check it belongs to, and how bad it is. */
export const FAILURES = {
  SCHEMA_INVALID: ["CHK_SCHEMA_CONFORMANCE", "medium"],
  HASH_MISMATCH: ["CHK_EVENT_HASH_INTEGRITY", "critical"],
  CHAIN_BREAK: ["CHK_CHAIN_CONTINUITY", "critical"],
  SIG_INVALID: ["CHK_SIGNATURE_VALIDITY", "critical"],
  SIG_MISSING: ["CHK_SIGNATURE_VALIDITY", "critical"],
  KEY_UNKNOWN: ["CHK_KEY_STATUS", "critical"],
  KEY_NOT_ACTIVE: ["CHK_KEY_STATUS", "critical"],
  KEY_COMPROMISED: ["CHK_KEY_STATUS", "high"],
  KEY_NOT_TRUSTED: ["CHK_KEY_STATUS", "critical"],
  ARTIFACT_MISSING: ["CHK_ARTIFACT_EXISTENCE", "high"],
  ARTIFACT_HASH_MISMATCH: ["CHK_ARTIFACT_HASH_MATCH", "high"],
  CLAIM_UNPROVEN: ["CHK_CLAIM_EVIDENCE_SUFFICIENCY", "high"],
  DISPUTE_OPEN: ["CHK_CLAIM_EVIDENCE_SUFFICIENCY", "high"],
  CLAIM_ON_FAILURE: ["CHK_CLAIM_EVIDENCE_SUFFICIENCY", "warning"],
  ROLE_POLICY_VIOLATION: ["CHK_ROLE_POLICY_CONFORMANCE", "medium"],
  FINALIZATION_VIOLATION: ["CHK_FINALIZATION_INTEGRITY", "high"],
  SESSION_NOT_COMPLETED: ["CHK_FINALIZATION_INTEGRITY", "warning"],
  ORDER_VIOLATION: ["CHK_EVENT_ORDERING", "high"],
  CLOCK_WENT_BACK: ["CHK_EVENT_ORDERING", "warning"],
  STATE_VIOLATION: ["CHK_STATE_TRANSITIONS", "high"],
  CHECKPOINT_INVALID: ["CHK_CHECKPOINT", "critical"],
  TAIL_MISSING: ["CHK_CHECKPOINT", "critical"],
  TAIL_UNSIGNED: ["CHK_CHECKPOINT", "critical"],
  GAP_RECORDED: ["CHK_CHECKPOINT", "warning"],
  HEAD_MISSING: ["CHK_CHECKPOINT", "warning"],
  EVIDENCE_LATE: ["CHK_EVIDENCE_FIRST", "high"],
  BUNDLE_MALFORMED: ["CHK_PACKAGING", "critical"],
  ARTIFACT_UNCITED: ["CHK_PACKAGING", "medium"],
  CHECKS_SKIPPED: ["CHK_PACKAGING", "warning"],
} as const satisfies Record<string, readonly [CheckId, Severity]>;
export type FailureCode = keyof typeof FAILURES;

const Failure = z.strictObject({
  code: z.enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]),
  severity: Severity,
  /** The entry it is about; null when it is about the whole. */
  seq: z.int().min(0).nullable(),
  message: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** What a verification found. Byte-identical for the same input: no clock, no path, no duration. */
export const VerificationReport = z.strictObject({
  v: z.literal(1),
  status: z.enum(["pass", "pass-with-warnings", "fail"]),
  /** Null when the input is too broken to name its trace. */
  trace: TraceId.nullable(),
  entries: z.int().min(0),
  /** The hash of the last entry that was read. */
  head: Digest.nullable(),
  /** The state the session was left in. */
  state: z.string(),
  profile: z.enum(["strict", "default", "lenient"]),
  mode: z.enum(["full", "fast"]),
  /** The key that signed the checkpoint, in the form `sworn verify --key` takes. */
  signer: z.string().nullable(),
  checks: z.array(
    z.strictObject({ id: z.enum(CHECKS), status: z.enum(["pass", "warn", "fail", "skipped"]) }),
  ),
  failures: z.array(Failure),
  warnings: z.array(Failure),
  /** How many failures and warnings were left out of the two lists. */
  omitted: z.int().min(0),
  /** The last entry before the first failure; -1 when none can be trusted. */
  lastTrustedSeq: z.int().min(-1),
});
export type VerificationReport = z.infer<typeof VerificationReport>;
