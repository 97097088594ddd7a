import type { EventRequest } from "../../src/schema/index.ts";
import { opening, request } from "../fake/sandbox.ts";

/** One request of each kind, as the agent that usually makes it, with only its names left to say. */

export const UNIT = {
  objective: "Count attempts",
  assumptions: ["one process"],
  required_tools: ["edit", "deploy"],
  expected_evidence: ["diff"],
};

export const proposal = (id: string, more: object = {}): EventRequest =>
  request("ada", "planner", "proposal_created", { proposal_id: id, units: [UNIT], ...more });

export const review = (id: string, status = "approved", more: object = {}): EventRequest =>
  request("cleo", "critic", "proposal_reviewed", {
    proposal_id: id,
    proposal_status: status,
    risk_assessment: "low",
    rationale: "read it",
    ...more,
  });

/** An intent whose input is stored with it as `in-<id>`. */
export const intent = (id: string, more: object = {}): EventRequest =>
  request(
    "eli",
    "executor",
    "tool_intent_signed",
    {
      intent_id: id,
      proposal_id: "p1",
      tool_name: "edit",
      normalized_input_hash: `in-${id}`,
      risk_class: "low",
      justification: "it is the plan",
      ...more,
    },
    [{ name: `in-${id}`, text: `input of ${id}` }],
  );

export const judgement = (id: string, status: "approved" | "blocked"): EventRequest =>
  request("cleo", "critic", "intent_reviewed", {
    intent_id: id,
    intent_status: status,
    rationale: "looked at it",
  });

export const started = (execution: string, intentId: string): EventRequest =>
  request("eli", "executor", "tool_execution_started", {
    execution_id: execution,
    intent_id: intentId,
  });

/** The good end of an execution, with its output stored as `out-<execution>`. */
export const completed = (execution: string): EventRequest =>
  request(
    "eli",
    "executor",
    "tool_execution_completed",
    { execution_id: execution, exit_status: 0, summary: "done" },
    [{ name: `out-${execution}`, text: `output of ${execution}` }],
  );

export const failed = (
  execution: string,
  handling: "retry" | "fallback" | "accept" = "accept",
): EventRequest =>
  request("eli", "executor", "tool_execution_failed", {
    execution_id: execution,
    failure: "the port was taken",
    handling,
    exit_status: 1,
  });

export const evidence = (name: string, body: object = {}): EventRequest =>
  request("eli", "executor", "artifact_recorded", { description: `what ${name} shows`, ...body }, [
    { name, text: `content of ${name}` },
  ]);

export const claim = (id: string, more: object = {}): EventRequest =>
  request("eli", "executor", "claim_issued", {
    claim_id: id,
    claim_text: "The limit works",
    confidence: 90,
    evidence: ["out-e1"],
    execution_ids: ["e1"],
    ...more,
  });

export const challenge = (id: string, claimId: string): EventRequest =>
  request("cleo", "critic", "claim_challenged", {
    challenge_id: id,
    claim_id: claimId,
    reason: "a diff does not run",
  });

export const resolution = (
  id: string,
  how: "upheld" | "withdrawn" | "revised" = "withdrawn",
): EventRequest =>
  request("cleo", "critic", "challenge_resolved", {
    challenge_id: id,
    resolution: how,
    rationale: "thought about it",
  });

export const finalStatement = (...claims: string[]): EventRequest =>
  request("eli", "executor", "final_statement_signed", {
    consolidated_claim_ids: claims,
    final_verdict_text: "Done",
  });

export const auditStart = (id: string): EventRequest =>
  request("otto", "auditor", "verification_run_started", { verification_id: id });

export const auditEnd = (id: string, status = "pass"): EventRequest =>
  request("otto", "auditor", "verification_run_completed", { verification_id: id, status });

export const rework = (round: number): EventRequest =>
  request("otto", "auditor", "rework_opened", { round, reasons: ["the audit failed"] });

export const message = (text: string): EventRequest =>
  request("mara", "operator", "message_posted", { text });

export const failure = (reason = "the record is broken"): EventRequest =>
  request("mara", "operator", "session_failed", { reason });

export const abort = (reason = "not needed any more"): EventRequest =>
  request("mara", "operator", "session_aborted", { reason });

/** The same request by somebody else. */
export const by = (
  agent: string,
  role: EventRequest["actor"]["role"],
  given: EventRequest,
): EventRequest => ({ ...given, actor: { agent, role } });

/** One intent, its execution and its good end. */
export const work = (number: number, more: object = {}): EventRequest[] => [
  intent(`i${number}`, more),
  started(`e${number}`, `i${number}`),
  completed(`e${number}`),
];

const toPlanning = (body: object) => [opening(body)];
const toReviewing = (body: object) => [...toPlanning(body), proposal("p1")];
const toExecuting = (body: object) => [...toReviewing(body), review("p1")];
const toClaiming = (body: object) => [...toExecuting(body), ...work(1)];
const toAuditing = (body: object) => [...toClaiming(body), claim("c1"), finalStatement("c1")];
const toCompleted = (body: object) => [...toAuditing(body), auditStart("v1"), auditEnd("v1")];

/** The shortest way from nothing into each state; `body` adds to `session_initialized`. */
export const WAYS = {
  planning: toPlanning,
  reviewing: toReviewing,
  executing: toExecuting,
  claiming: toClaiming,
  auditing: toAuditing,
  completed: toCompleted,
  failed: (body: object) => [...toPlanning(body), failure()],
  aborted: (body: object) => [...toPlanning(body), abort()],
} satisfies Record<string, (body: object) => EventRequest[]>;
export type Reachable = keyof typeof WAYS;
export const REACHABLE = Object.keys(WAYS) as Reachable[];
