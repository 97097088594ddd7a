import type { ArtifactRef, Body, EventType, Policy, Profile, Role, Vote } from "../schema/index.ts";
import { type Cadence, emptyCadence } from "./cadence.ts";

/** The nine states of a session. `initialized` is a trace that has no entry yet. */
export const STATES = [
  "initialized",
  "planning",
  "reviewing",
  "executing",
  "claiming",
  "auditing",
  "completed",
  "failed",
  "aborted",
] as const;
export type SessionState = (typeof STATES)[number];

/** States that nothing leaves. */
export const FINAL_STATES: readonly SessionState[] = ["completed", "failed", "aborted"];

/** An entry as the fold sees it: what was said, by whom, at which place. Signing comes later. */
export type Event<T extends EventType = EventType> = {
  [K in T]: {
    readonly seq: number;
    readonly type: K;
    readonly body: Body<K>;
    readonly artifacts: readonly ArtifactRef[];
    readonly idem?: string | undefined;
    /** The number of the lease that it was written under. */
    readonly fence?: number | undefined;
    readonly actor: { readonly agent: string; readonly role: Role; readonly key: string };
  };
}[T];

export interface AgentView {
  readonly roles: readonly Role[];
  /** The key its next entry must be signed with; undefined once revoked without a successor. */
  key: string | undefined;
}

export interface KeyView {
  readonly agent: string;
  readonly public: string;
  status: "active" | "rotated" | "revoked";
  /** Entries from here on are not believed, although they were signed in time. */
  compromisedFrom?: number;
}

export interface ProposalView {
  readonly seq: number;
  /** Who wrote it, and who wrote what it revises or falls back from. */
  readonly authors: readonly string[];
  readonly tools: ReadonlySet<string>;
  status: "proposed" | "approved" | "conditional" | "rejected" | "revised";
  readonly conditions: string[];
}

/** A tool with an input: one piece of work, whatever the intents are called that announce it. */
export interface WorkView {
  /** Whether the critic's last word on it was a block. */
  isBlocked: boolean;
  /** Failed executions since the last completed one. */
  failures: number;
  running: number;
}

export interface IntentView {
  readonly seq: number;
  readonly author: string;
  /** Its author, and those of the intents it retries. */
  readonly authors: readonly string[];
  readonly work: WorkView;
  readonly proposal: string;
  readonly risk: number;
  readonly attempt: number;
  readonly inputHash: string;
  review: "pending" | "approved" | "blocked";
  execution?: string;
  retried: boolean;
}

export interface ExecutionView {
  readonly seq: number;
  readonly author: string;
  readonly intent: string;
  status: "running" | "completed" | "failed";
  /** The artifacts that came with its end, by hash. */
  outputs: readonly string[];
  /** Set while a failure still waits for the retry or fallback that was announced. */
  owes: boolean;
}

export interface ClaimView {
  readonly seq: number;
  readonly author: string;
  readonly evidence: readonly string[];
  /** The executions it names. */
  readonly executions: readonly string[];
  /** Conditions it fulfils, as `proposal/position`, each once. */
  readonly meets: readonly string[];
  status: "standing" | "revised" | "struck";
  revisedBy?: string;
  /** Whether an upheld challenge was about it, or about a wording that it replaced. */
  isJudged: boolean;
}

export interface ChallengeView {
  readonly seq: number;
  readonly author: string;
  readonly claim: string;
  open: boolean;
}

export interface QuestionView {
  readonly seq: number;
  open: boolean;
  /** Who may answer besides planner and operator. */
  readonly to: readonly string[];
  readonly hasDeadline: boolean;
  readonly dueBeat: number | undefined;
  /** The answer without an answer. */
  readonly assumed: string;
}

/** Where the review of a completion stands. */
export type ReviewPhase = "DRAFT" | "REVIEW" | "CONSENSUS" | "SUBMITTED" | "MERGED" | "REJECTED";

/** The vote of one agent; a later one on the same digest takes its place. */
export interface VoteView {
  readonly seq: number;
  readonly vote: Vote;
  readonly role: Role;
}

export interface CompletionView {
  readonly seq: number;
  readonly subject: string;
  readonly digest: string;
  /** Who made it, and who made what it revises; all revisions of one work share it. */
  readonly authors: Set<string>;
  phase: ReviewPhase;
  /** Whether the one round of voting again was opened. */
  isConverged: boolean;
  revisedBy?: string;
  readonly votes: Map<string, VoteView>;
}

/** What is proposed, whatever is said of it: who is against it, and which completions propose it now. */
export interface SubjectView {
  readonly reds: Set<string>;
  readonly completions: Set<string>;
}

export interface RunView {
  readonly seq: number;
  readonly depth: number;
  status: "running" | "completed" | "failed" | "cancelled" | "partial";
}

/**
 * What gate one asks about all claims and challenges, kept up to date with each of them. Otherwise
 * every refused final statement would cost a look at the whole session.
 */
export interface Tally {
  /** Claims nobody has revised or struck. */
  readonly standing: Set<string>;
  /** Those of them whose evidence does not suffice. */
  readonly unproven: Set<string>;
  /** Those of them that hold a finding which is not in the source. */
  readonly refuted: Set<string>;
  readonly openChallenges: Set<string>;
  /** How many standing claims say that they meet a condition. */
  readonly met: Map<string, number>;
  /** The conditions of proposals that work was based on. */
  readonly bound: Map<string, string>;
  /** Those of them that no standing claim meets. */
  readonly unmet: Set<string>;
  /** Struck claims, by each piece of their evidence. */
  readonly struck: Map<string, Set<string>>;
}

/** Everything the rules need to know about the past; a pure fold of the entries. */
export interface Session {
  state: SessionState;
  size: number;
  profile: Profile;
  policy: Policy;
  /** The policy's least risks, by tool key. */
  readonly toolRisks: Map<string, number>;
  readonly agents: Map<string, AgentView>;
  readonly keys: Map<string, KeyView>;
  readonly proposals: Map<string, ProposalView>;
  readonly intents: Map<string, IntentView>;
  /** Every piece of work that an intent announced. */
  readonly works: Map<string, WorkView>;
  readonly executions: Map<string, ExecutionView>;
  readonly claims: Map<string, ClaimView>;
  readonly challenges: Map<string, ChallengeView>;
  readonly tally: Tally;
  readonly questions: Map<string, QuestionView>;
  /** Places of the entries that messages can refer to. */
  readonly messages: Set<number>;
  readonly facts: Set<string>;
  readonly runs: Map<string, RunView>;
  /** Decisions and exceptions, whose names must stay unique. */
  readonly records: Set<string>;
  readonly decisions: Map<string, { seq: number; agent: string }>;
  readonly completions: Map<string, CompletionView>;
  readonly subjects: Map<string, SubjectView>;
  /** The subjects that are proposed now and have a red vote. */
  readonly redSubjects: Set<string>;
  readonly cadence: Cadence;
  /** Where each artifact was first recorded. */
  readonly artifacts: Map<string, { seq: number }>;
  /** The latest artifact recorded under a name, for scripts that cite by name. */
  readonly artifactNames: Map<string, string>;
  /** What was recorded under each idempotency key. */
  readonly idems: Map<string, { seq: number; type: EventType; agent: string }>;
  /** Agents that proposed, executed, recorded, claimed or concluded: they may not judge this session. */
  readonly authors: Set<string>;
  readonly critics: Set<string>;
  openIntents: number;
  runningExecutions: number;
  owedFailures: number;
  finishedExecutions: number;
  finalStatement: number | undefined;
  verification: { id: string; auditor: string; seq: number } | undefined;
  auditFailedAt: number | undefined;
  reworkRounds: number;
  gaps: number[];
}

export function emptySession(): Session {
  return {
    state: "initialized",
    size: 0,
    profile: "solo",
    policy: {
      approval_from: "low",
      evidence_min: 1,
      attempts_max: 1,
      rework_max: 0,
      fallback: false,
    },
    toolRisks: new Map(),
    agents: new Map(),
    keys: new Map(),
    proposals: new Map(),
    intents: new Map(),
    works: new Map(),
    executions: new Map(),
    claims: new Map(),
    challenges: new Map(),
    tally: {
      standing: new Set(),
      unproven: new Set(),
      refuted: new Set(),
      openChallenges: new Set(),
      met: new Map(),
      bound: new Map(),
      unmet: new Set(),
      struck: new Map(),
    },
    questions: new Map(),
    messages: new Set(),
    facts: new Set(),
    runs: new Map(),
    records: new Set(),
    decisions: new Map(),
    completions: new Map(),
    subjects: new Map(),
    redSubjects: new Set(),
    cadence: emptyCadence(),
    artifacts: new Map(),
    artifactNames: new Map(),
    idems: new Map(),
    authors: new Set(),
    critics: new Set(),
    openIntents: 0,
    runningExecutions: 0,
    owedFailures: 0,
    finishedExecutions: 0,
    finalStatement: undefined,
    verification: undefined,
    auditFailedAt: undefined,
    reworkRounds: 0,
    gaps: [],
  };
}

/** The public keys that the session's runtime has or had; the last one signs now. */
export function runtimeKeysOf({ agents, keys }: Session): string[] {
  return [...keys.values()].flatMap(({ agent, public: publicText }) =>
    agents.get(agent)?.roles.includes("runtime") ? [publicText] : [],
  );
}
