import type { EventRequest, RequestedArtifact } from "../../schema/index.ts";
import type { TryProofs, TryWork } from "../../schema/work.ts";
import { FINAL_STATES, type Session } from "../../view/index.ts";
import { cut } from "../record/entry-text.ts";

/** Those who act in every work; each has a key of its own. */
export const LEAD = { agent: "lead", role: "planner" } as const;
/** The plan gate: it decides what may begin. */
export const GATE = { agent: "gate", role: "critic" } as const;
export const AUDITOR = { agent: "auditor", role: "auditor" } as const;
export const OPERATOR = { agent: "operator", role: "operator" } as const;
export const EXECUTORS = ["worker", "prover", "assembler"] as const;
/** The steps that come after all subtasks. */
export const STEPS = ["assembly", "proofs", "self", "reviewer", "mechanical"] as const;
/** A final statement lists at most a thousand claims. */
const CLAIMS_MAX = 900;

/** One try of a subtask, by its name in the record. */
export interface TryName {
  readonly subtask: string;
  readonly execution: string;
}

/** What a try came to. */
export interface TryEnd extends TryName {
  readonly work: TryWork | undefined;
  /** The execution of the proofs, and what they came to; absent when it did not come to them. */
  readonly proof?: { readonly execution: string; readonly found: TryProofs } | undefined;
  /** Absent when it is proven. */
  readonly failure?: { readonly why: string; readonly isRetried: boolean };
}

export function starting(
  { execution }: TryName,
  input: RequestedArtifact,
  about: {
    readonly proposal: string;
    readonly retryOf?: string | undefined;
    readonly why: string;
    readonly tool: string;
    readonly by: (typeof EXECUTORS)[number];
  },
): EventRequest[] {
  const actor = { agent: about.by, role: "executor" } as const;
  return [
    {
      actor,
      type: "tool_intent_signed",
      body: {
        intent_id: execution,
        proposal_id: about.proposal,
        tool_name: about.tool,
        normalized_input_hash: input.name ?? "",
        risk_class: about.by === "worker" ? "medium" : "low",
        justification: cut(about.why),
        ...(about.retryOf === undefined ? {} : { retry_of: about.retryOf }),
      },
      ...(input.text === undefined ? {} : { artifacts: [input] }),
    },
    {
      actor: GATE,
      type: "intent_reviewed",
      body: {
        intent_id: execution,
        intent_status: "approved",
        rationale: "It is in the plan that passed the gate, and what it stands on is there.",
      },
    },
    {
      actor,
      type: "tool_execution_started",
      body: { execution_id: execution, intent_id: execution },
    },
  ];
}

/** The proofs' execution ends before the try that they speak about. */
export function finishing(
  { subtask, execution, failure, proof }: TryEnd,
  work: readonly RequestedArtifact[],
  proofs: RequestedArtifact | undefined,
): EventRequest[] {
  const worker = { agent: "worker", role: "executor" } as const;
  const prover = { agent: "prover", role: "executor" } as const;
  const found = proof?.found;
  const passed = found?.outcomes.filter(({ verdict }) => verdict === "pass").length ?? 0;
  const proven: EventRequest[] =
    proofs === undefined || proof === undefined
      ? []
      : [
          {
            actor: prover,
            type: "tool_execution_completed",
            body: {
              execution_id: proof.execution,
              exit_status: failure === undefined ? 0 : 1,
              summary: `${passed} of ${found?.outcomes.length} proofs of ${subtask} pass`,
            },
            artifacts: [proofs],
          },
        ];
  const end: EventRequest =
    failure === undefined
      ? {
          actor: worker,
          type: "tool_execution_completed",
          body: { execution_id: execution, exit_status: 0, summary: `${subtask} is proven` },
          artifacts: [...work],
        }
      : {
          actor: worker,
          type: "tool_execution_failed",
          body: {
            execution_id: execution,
            failure: cut(failure.why),
            handling: failure.isRetried ? "retry" : "accept",
          },
          artifacts: [...work],
        };
  return [...proven, end];
}

/** Whatever still runs in the record although its runtime is gone, or a part of it. */
export function cutting(
  session: Session | undefined,
  why: string,
  isMeant: (execution: string) => boolean,
): EventRequest[] {
  const running = [...(session?.executions ?? [])].filter(
    ([execution, { status }]) => status === "running" && isMeant(execution),
  );
  return running.map(([execution, { author, intent }]) => {
    const attempt = session?.intents.get(intent)?.attempt ?? 0;
    const isRetried = author === "worker" && attempt < (session?.policy.attempts_max ?? 0);
    const handling = isRetried ? ("retry" as const) : ("accept" as const);
    return {
      actor: { agent: author, role: "executor" as const },
      type: "tool_execution_failed" as const,
      body: { execution_id: execution, failure: why, handling },
    };
  });
}

export function waiving(subtask: string, reason: string, expiresAt: string): EventRequest {
  return {
    actor: OPERATOR,
    type: "exception_recorded",
    body: {
      exception_id: `waive-${subtask.toLowerCase()}`,
      rule: `the proofs of ${subtask}`,
      reason: cut(reason),
      requester: LEAD.agent,
      owner: OPERATOR.agent,
      expires_at: expiresAt,
      rollback: `Leave the commits of ${subtask} out of the branch.`,
    },
  };
}

export function assembling(
  name: string,
  input: RequestedArtifact,
  { proposal, why }: { readonly proposal: string; readonly why: string },
): EventRequest[] {
  const [tool = name] = name.split(".");
  return starting({ subtask: name, execution: name }, input, {
    proposal,
    why,
    tool,
    by: "assembler",
  });
}

export function auditing(
  name: string,
  out: RequestedArtifact,
  { summary, failure }: { readonly summary: string; readonly failure?: string | undefined },
): EventRequest {
  const actor = { agent: "assembler", role: "executor" } as const;
  if (failure === undefined) {
    const body = { execution_id: name, exit_status: 0, summary: cut(summary) };
    return { actor, type: "tool_execution_completed", body, artifacts: [out] };
  }
  const body = { execution_id: name, failure: cut(failure), handling: "accept" as const };
  return { actor, type: "tool_execution_failed", body, artifacts: [out] };
}

/** Proven subtasks and the artifacts that show it; more than can be listed share a claim. */
export function claiming(
  claims: readonly {
    readonly id: string;
    readonly text: string;
    readonly executions: readonly string[];
    readonly evidence: readonly string[];
  }[],
): EventRequest[] {
  const size = Math.ceil(claims.length / CLAIMS_MAX);
  return Array.from({ length: Math.ceil(claims.length / Math.max(1, size)) }, (_, at) => {
    const own = claims.slice(at * size, (at + 1) * size);
    return {
      actor: { agent: "prover", role: "executor" as const },
      type: "claim_issued" as const,
      body: {
        claim_id: own[0]?.id ?? "",
        claim_text: cut(own.map(({ text }) => text).join(" ")),
        confidence: 100,
        evidence: own.flatMap(({ evidence }) => evidence),
        execution_ids: own.flatMap(({ executions }) => executions),
      },
    };
  });
}

export type WorkEnding =
  | { readonly kind: "completed"; readonly words: string }
  | { readonly kind: "failed"; readonly words: string };

export function ending(how: WorkEnding, session: Session | undefined): EventRequest[] {
  if (session === undefined || FINAL_STATES.includes(session.state)) return [];
  if (how.kind === "failed") {
    return [{ actor: OPERATOR, type: "session_failed", body: { reason: cut(how.words) } }];
  }
  const isStated = session.finalStatement !== undefined;
  const isAudited = session.verification !== undefined;
  return [
    ...(isStated ? [] : [stating(how.words, [...session.tally.standing])]),
    ...(isAudited ? [] : [AUDIT_BEGINS]),
    {
      actor: AUDITOR,
      type: "verification_run_completed",
      body: { verification_id: AUDIT, status: "pass" },
    },
  ];
}

const AUDIT = "audit";
const AUDIT_BEGINS: EventRequest = {
  actor: AUDITOR,
  type: "verification_run_started",
  body: { verification_id: AUDIT },
};

function stating(words: string, claims: string[]): EventRequest {
  return {
    actor: LEAD,
    type: "final_statement_signed",
    body: { consolidated_claim_ids: claims, final_verdict_text: cut(words) },
  };
}
