import { assert, SwornError } from "../../base/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import type { EventRequest, RequestedArtifact } from "../../schema/index.ts";
import { FINAL_STATES } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { RUNTIME_AGENT } from "../record/complete.ts";
import { cut } from "../record/entry-text.ts";
import { Recorder } from "../record/recorder.ts";

const LEAD = { agent: "lead", role: "planner" } as const;
/** The policy engine: it decides what may begin and what counts as done, and signs manifests. */
export const POLICY = { agent: "policy", role: "critic" } as const;
const SANDBOX = { agent: "sandbox", role: "executor" } as const;
const AUDITOR = { agent: "auditor", role: "auditor" } as const;
const OPERATOR = { agent: "operator", role: "operator" } as const;
/** Names of the runtime's own parts; none of them is a person who could approve anything. */
export const PARTS: readonly string[] = [
  ...[LEAD, POLICY, SANDBOX, AUDITOR].map(({ agent }) => agent),
  // Those of deliveries and reviews.
  ...["delivery", "checker", "binder"],
  RUNTIME_AGENT,
];
const RUN = "run";
/** The question that flagged output waits on. */
export const CLEARANCE = "clearance";

/** What is recorded of a run beside its command and its facts. */
interface Besides {
  readonly besides: readonly RequestedArtifact[];
  /** The names of what it will be shown by. */
  readonly evidence: readonly string[];
}

/**
 * Writes one sealed run into a trace, in the words of the protocol: the command is a proposal, the
 * facts about it an intent, the policies' decision its review, the run an execution, and what came
 * out a claim that rests on the manifest. Stages propose; only this records.
 */
export class ExecRecord {
  readonly #recorder: Recorder;

  constructor(place: Place, trace?: string) {
    this.#recorder = trace === undefined ? Recorder.start(place) : Recorder.resume(place, trace);
  }

  get trace(): string {
    return this.#recorder.id;
  }

  /** What is to run, and everything that is known about it before anything is made. */
  async asked(
    command: string,
    facts: unknown,
    besides: readonly RequestedArtifact[],
  ): Promise<void> {
    await this.#record(asking(command, facts, { besides, evidence: ["manifest.json"] }));
  }

  /** What the policies decided before anything was made. */
  async decided(decision: AdmissionDecision): Promise<void> {
    await this.#record([deciding(decision)]);
  }

  async began(): Promise<void> {
    await this.#record([BEGINNING]);
  }

  /** The three above in one commit, for what is decided before anything is made of it. */
  async admitted(
    command: string,
    facts: unknown,
    decision: AdmissionDecision,
    about: Besides,
  ): Promise<void> {
    const began = decision.decision === "allow" ? [BEGINNING] : [];
    await this.#record([...asking(command, facts, about), deciding(decision), ...began]);
  }

  /** The task did not run, or its run does not count. */
  async failed(failure: string, artifacts: readonly RequestedArtifact[]): Promise<void> {
    await this.#record([
      {
        actor: SANDBOX,
        type: "tool_execution_failed",
        body: { execution_id: RUN, failure: cut(failure), handling: "accept" },
        artifacts: [...artifacts],
      },
    ]);
    await this.ended(failure);
  }

  /** The runtime was gone before the run was recorded to its end; says whether anything was left to end. */
  async interrupted(reason: string): Promise<boolean> {
    const { session } = this.#recorder;
    if (session === undefined || FINAL_STATES.includes(session.state)) return false;
    if (session.executions.get(RUN)?.status === "running") await this.failed(reason, []);
    else await this.ended(reason);
    return true;
  }

  /** Ends the session without a result; the record stays whole. */
  async ended(reason: string): Promise<void> {
    await this.#record([
      { actor: OPERATOR, type: "session_aborted", body: { reason: cut(reason) } },
    ]);
  }

  /** The run ended and counts; its manifest is the evidence. */
  async completed(
    exit: number,
    summary: string,
    artifacts: readonly RequestedArtifact[],
  ): Promise<void> {
    await this.#record([finished(exit, summary, artifacts), ...conclusion(summary, artifacts)]);
  }

  /** The run ended, and whether it counts is a reviewer's to say; the session stays open. */
  async waits(
    exit: number,
    summary: string,
    question: string,
    artifacts: readonly RequestedArtifact[],
  ): Promise<void> {
    await this.#record([
      finished(exit, summary, artifacts),
      {
        actor: POLICY,
        type: "question_asked",
        body: { question_id: CLEARANCE, text: cut(question), default: "It does not go out." },
      },
    ]);
  }

  /**
   * What the reviewer said; with a yes the run counts from here on, with a no it has ended.
   *
   * @throws SwornError `ALREADY_EXISTS` when somebody else was faster.
   */
  async answered(
    answer: string,
    counts: { summary: string; artifacts: readonly RequestedArtifact[] } | undefined,
    clearance: RequestedArtifact,
  ): Promise<void> {
    const said: EventRequest = {
      actor: OPERATOR,
      type: "question_answered",
      body: { question_id: CLEARANCE, answer: cut(answer) },
      artifacts: [clearance, ...(counts?.artifacts ?? [])],
    };
    const rest: EventRequest[] =
      counts === undefined
        ? [{ actor: OPERATOR, type: "session_aborted", body: { reason: cut(answer) } }]
        : conclusion(counts.summary, counts.artifacts);
    const { refusal } = await this.#recorder.record([said, ...rest], { artifactRoots: [] });
    if (refusal !== undefined) {
      throw new SwornError("ALREADY_EXISTS", `${this.trace} waits no longer: ${refusal.reason}`);
    }
  }

  close(): void {
    this.#recorder.close();
  }

  async #record(requests: readonly EventRequest[]): Promise<void> {
    const { refusal } = await this.#recorder.record(requests, { artifactRoots: [] });
    // We wrote the script; a refusal is our mistake and nobody else's.
    assert(refusal === undefined, `the protocol refuses: ${refusal?.reason}`);
  }
}

function asking(command: string, facts: unknown, { besides, evidence }: Besides): EventRequest[] {
  const agents = [LEAD, POLICY, SANDBOX, AUDITOR, OPERATOR];
  return [
    {
      actor: LEAD,
      type: "session_initialized",
      body: {
        task: "exec",
        objective: cut(command),
        profile: "solo",
        agents: agents.map(({ agent, role }) => ({ agent, roles: [role] })),
      },
    },
    {
      actor: LEAD,
      type: "proposal_created",
      body: {
        proposal_id: RUN,
        units: [
          {
            objective: cut(command),
            assumptions: [],
            required_tools: [SANDBOX.agent],
            expected_evidence: [...evidence],
          },
        ],
      },
    },
    {
      actor: POLICY,
      type: "proposal_reviewed",
      body: {
        proposal_id: RUN,
        proposal_status: "approved",
        risk_assessment: "To be decided by the policies, from the facts of the run",
        rationale: "Nothing is made before the policies have decided.",
      },
    },
    {
      actor: SANDBOX,
      type: "tool_intent_signed",
      body: {
        intent_id: RUN,
        proposal_id: RUN,
        tool_name: SANDBOX.agent,
        normalized_input_hash: "facts.json",
        risk_class: "high",
        justification:
          "Sealed: no network but the egress in the facts, nothing of the host but what they name",
      },
      artifacts: [json("facts.json", facts), ...besides],
    },
  ];
}

function deciding(decision: AdmissionDecision): EventRequest {
  const isAllowed = decision.decision === "allow";
  return {
    actor: POLICY,
    type: "intent_reviewed",
    body: {
      intent_id: RUN,
      intent_status: isAllowed ? "approved" : "blocked",
      rationale: cut(wordsOf(decision)),
    },
    artifacts: [json("decision.json", decision)],
  };
}

const BEGINNING: EventRequest = {
  actor: SANDBOX,
  type: "tool_execution_started",
  body: { execution_id: RUN, intent_id: RUN },
};

function finished(
  exit: number,
  summary: string,
  artifacts: readonly RequestedArtifact[],
): EventRequest {
  return {
    actor: SANDBOX,
    type: "tool_execution_completed",
    body: { execution_id: RUN, exit_status: exit, summary: cut(summary) },
    artifacts: [...artifacts],
  };
}

/** A claim that rests on what was recorded, and the audit of it. */
function conclusion(summary: string, artifacts: readonly RequestedArtifact[]): EventRequest[] {
  return [
    {
      actor: SANDBOX,
      type: "claim_issued",
      body: {
        claim_id: RUN,
        claim_text: cut(summary),
        confidence: 100,
        evidence: artifacts.flatMap(({ name }) => name ?? []),
        execution_ids: [RUN],
      },
    },
    {
      actor: LEAD,
      type: "final_statement_signed",
      body: { consolidated_claim_ids: [RUN], final_verdict_text: cut(summary) },
    },
    { actor: AUDITOR, type: "verification_run_started", body: { verification_id: "audit" } },
    {
      actor: AUDITOR,
      type: "verification_run_completed",
      body: { verification_id: "audit", status: "pass" },
    },
  ];
}

/** The decision in words: the policies by digest, and for a no the first reasons. */
export function wordsOf({ decision, policy_digest, reasons, errors }: AdmissionDecision): string {
  const why = [...reasons.map(({ rule, message }) => `${rule}: ${message}`), ...errors];
  const said = `the policies ${policy_digest.slice(0, 12)} ${decision === "allow" ? "allow it" : "refuse it"}`;
  return why.length === 0 ? said : `${said}: ${why.slice(0, 5).join("; ")}`;
}

export function json(name: string, value: unknown): RequestedArtifact {
  return { name, text: `${JSON.stringify(value)}\n`, media_type: "application/json" };
}
