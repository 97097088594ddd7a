import * as z from "zod";
import { BeatOpened, LeaseEnded, LeaseTaken, StatusClaimed } from "./cadence.ts";
import { Verdict } from "./finding.ts";
import { Digest, KeyId, LIST_ITEMS_MAX, listOf, Name, PublicKeyText, Text } from "./id.ts";
import { Fact, Message, Question, RunCompleted, RunStarted } from "./message.ts";
import { Profile, RiskClass, Role } from "./role.ts";
import { CompletionProposed, ReviewMoved, VoteCast } from "./vote.ts";

const Bounded = (max: number) => z.int().min(0).max(max);

/** A tool's name: in characters that look different when they are, so that no two tools look like one. */
const ToolName = z
  .string()
  .regex(/^[\x20-\x7e]{1,256}$/, "expected 1 to 256 printable ASCII characters");

/** An agent of this session with the key its entries are checked against. */
/** @public named in the JSON Schemas */
export const EnrolledAgent = z.strictObject({
  agent: Name,
  roles: z.array(Role).min(1).max(6),
  key: KeyId,
  public: PublicKeyText,
});

/** The thresholds a session runs under; written into its first entry so that nobody moves them later. */
export const Policy = z.strictObject({
  /** An intent of this risk or above needs the critic's approval before it runs. */
  approval_from: RiskClass,
  /** How many pieces of evidence each claim needs. */
  evidence_min: z.int().min(1).max(10),
  /** How often one piece of work may be tried, the first try included. */
  attempts_max: z.int().min(1).max(20),
  /** How often a failed audit may send the session back to work. */
  rework_max: Bounded(10),
  /** Whether a failed tool run may be answered with a new proposal. */
  fallback: z.boolean(),
  /** The least risk that using a tool has, whatever its user says of it. */
  tool_risk: z.record(ToolName, RiskClass).optional(),
});
export type Policy = z.infer<typeof Policy>;

const ProposalUnit = z.strictObject({
  objective: Text,
  assumptions: listOf(Text),
  required_tools: z.array(ToolName).min(1).max(100),
  expected_evidence: z.array(Text).min(1).max(100),
});

const DecisionLink = z.strictObject({
  kind: z.enum(["file", "claim", "completion", "requirement", "decision"]),
  to: Text.max(4_096),
});

const Evidence = z.array(Digest).min(1).max(1_000);

/** The body of every event type, as it stands in the ledger. */
export const BODIES = {
  session_initialized: z.strictObject({
    task: Name,
    objective: Text,
    profile: Profile,
    policy: Policy,
    agents: z.array(EnrolledAgent).min(1).max(100),
    policy_digest: Digest.optional(),
    config_digest: Digest.optional(),
  }),
  proposal_created: z.strictObject({
    proposal_id: Name,
    units: z.array(ProposalUnit).min(1).max(100),
    revises: Name.optional(),
    fallback_for: Name.optional(),
  }),
  proposal_reviewed: z.strictObject({
    proposal_id: Name,
    proposal_status: z.enum(["approved", "conditional", "rejected"]),
    risk_assessment: Text,
    rationale: Text,
    conditions: listOf(Text).optional(),
  }),
  tool_intent_signed: z.strictObject({
    intent_id: Name,
    proposal_id: Name,
    tool_name: ToolName,
    normalized_input_hash: Digest,
    risk_class: RiskClass,
    justification: Text,
    retry_of: Name.optional(),
  }),
  intent_reviewed: z.strictObject({
    intent_id: Name,
    intent_status: z.enum(["approved", "blocked"]),
    rationale: Text,
  }),
  tool_execution_started: z.strictObject({ execution_id: Name, intent_id: Name }),
  tool_execution_completed: z.strictObject({
    execution_id: Name,
    exit_status: z.int().min(-255).max(255),
    summary: Text.optional(),
  }),
  tool_execution_failed: z.strictObject({
    execution_id: Name,
    failure: Text,
    /** `accept` ends the handling of this failure; the other two announce another try. */
    handling: z.enum(["retry", "fallback", "accept"]),
    exit_status: z.int().min(-255).max(255).optional(),
  }),
  artifact_recorded: z.strictObject({ description: Text, execution_id: Name.optional() }),
  claim_issued: z.strictObject({
    claim_id: Name,
    claim_text: Text,
    /** The author's own estimate in points; it never raises trust. */
    confidence: Bounded(100),
    evidence: Evidence,
    execution_ids: z.array(Name).min(1).max(100),
    revises: Name.optional(),
    /** Conditions of a conditional approval that this claim fulfils, by position in its list. */
    meets: listOf(z.strictObject({ proposal_id: Name, condition: Bounded(999) })).optional(),
  }),
  claim_challenged: z.strictObject({
    challenge_id: Name,
    claim_id: Name,
    reason: Text,
    evidence: listOf(Digest).optional(),
  }),
  challenge_resolved: z.strictObject({
    challenge_id: Name,
    /** `upheld` strikes the claim, `withdrawn` lets it stand, `revised` accepts the claim that replaces it. */
    resolution: z.enum(["upheld", "withdrawn", "revised"]),
    rationale: Text,
  }),
  finding_checked: z.strictObject({
    claim_id: Name,
    /** As its reviewer numbered it. */
    finding_id: Text.max(64),
    verdict: Verdict,
    /** The finding's name across sessions: path, quoted text and category in one digest. */
    identity: Digest,
    /** Where it is said to be, and where it really is when that differs. */
    place: Text,
    found: Text.optional(),
    reason: Text,
  }),
  final_statement_signed: z.strictObject({
    consolidated_claim_ids: z.array(Name).min(1).max(1_000),
    final_verdict_text: Text,
  }),
  verification_run_started: z.strictObject({ verification_id: Name }),
  verification_run_completed: z.strictObject({
    verification_id: Name,
    status: z.enum(["pass", "pass-with-warnings", "fail"]),
    report: Digest,
    /** What was verified: the number of entries and the hash of the last of them. */
    size: z.int().min(1),
    head: Digest,
  }),
  rework_opened: z.strictObject({
    round: z.int().min(1).max(10),
    reasons: z.array(Text).min(1).max(100),
  }),
  completion_proposed: CompletionProposed,
  vote_cast: VoteCast,
  review_moved: ReviewMoved,
  session_failed: z.strictObject({ reason: Text }),
  session_aborted: z.strictObject({ reason: Text }),
  agent_enrolled: EnrolledAgent,
  run_started: RunStarted,
  run_completed: RunCompleted,
  beat_opened: BeatOpened,
  status_claimed: StatusClaimed,
  lease_taken: LeaseTaken,
  lease_ended: LeaseEnded,
  message_posted: Message,
  question_asked: Question,
  question_answered: z.strictObject({
    question_id: Name,
    answer: Text,
    /** Nobody answered in time: the runtime took the default that was given with the question. */
    by_default: z.literal(true).optional(),
  }),
  fact_recorded: Fact,
  decision_recorded: z.strictObject({
    decision_id: Name,
    context: Text,
    options: z.array(Text).min(1).max(100),
    choice: Text,
    evidence: listOf(Digest).optional(),
    /** What it justifies: files, claims, completions, requirements, and the decisions it replaces. */
    links: z.array(DecisionLink).min(1).max(100).optional(),
  }),
  exception_recorded: z.strictObject({
    exception_id: Name,
    rule: Text,
    reason: Text,
    requester: Name,
    owner: Name,
    expires_at: z.iso.datetime({ precision: 3 }),
    rollback: Text,
    /** What it allows, where it is from a rule about runs: in one project, for these tasks alone. */
    scope: z
      .strictObject({
        /** The hash of the place where the project's store lies. */
        project: Digest,
        tasks: z.array(Name).min(1).max(LIST_ITEMS_MAX),
        /** For rules about named things: which of them. */
        names: listOf(Text.max(4_096)),
      })
      .optional(),
    /** Who looked for secrets in what it exposes. */
    secret_review: Name.optional(),
  }),
  key_rotated: z.strictObject({
    agent: Name,
    old_key: KeyId,
    new_key: KeyId,
    public: PublicKeyText,
  }),
  key_revoked: z.strictObject({
    agent: Name,
    key: KeyId,
    reason: Text,
    /** With a known compromise: the first entry that is no longer believed. */
    compromised_from: z.int().min(0).optional(),
  }),
  gap_recorded: z.strictObject({
    reason: Text,
    /** How many entries the last known head counted, and what it looked like (a signed note). */
    lost_size: z.int().min(1).optional(),
    lost_checkpoint: Text.optional(),
  }),
} as const;

/** Every kind of thing that can be written down. */
export type EventType = keyof typeof BODIES;
export const EVENT_TYPES = Object.keys(BODIES) as [EventType, ...EventType[]];
export type Body<T extends EventType> = z.infer<(typeof BODIES)[T]>;
