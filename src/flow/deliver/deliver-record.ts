import { assert, type Json, messageOf, SwornError } from "../../base/index.ts";
import { redactJson } from "../../scan/classify/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import type { EventRequest } from "../../schema/index.ts";
import type { ExecRefusal } from "../exec/exec-outcome.ts";
import { json, POLICY } from "../exec/exec-record.ts";
import type { Place } from "../place.ts";
import { cut } from "../record/entry-text.ts";
import { Recorder } from "../record/recorder.ts";

const LEAD = { agent: "lead", role: "planner" } as const;
/** The runtime where it hands something over; its key signs what is in a packet, too. */
export const DELIVERY = { agent: "delivery", role: "executor" } as const;
const AUDITOR = { agent: "auditor", role: "auditor" } as const;
const OPERATOR = { agent: "operator", role: "operator" } as const;
const HANDOVER = "delivery";
/** The document that says what arrived where. */
export const DELIVERED = "delivered.json";
/** How a delivery ends that the operator wants no more; one that was refused ends with its rule. */
export const CALLED_OFF = "the operator called the delivery off";

/** What the record of a work's delivery is about; by these words it is found again. */
export function workObjective(work: string, to: string): string {
  return `deliver work ${work} to ${to}`;
}

/** What a record says of the run that is delivered; the manifest itself is in the packet. */
export interface RunSummary {
  readonly run: string;
  readonly words: string;
  readonly document: unknown;
}

/**
 * Writes one delivery into a trace of its own: the session of its run has ended. What is asked for,
 * what the policies decide and a summary of the manifest stand there before anything leaves.
 */
export class DeliverRecord {
  readonly #recorder: Recorder;

  constructor(place: Place) {
    this.#recorder = Recorder.start(place);
  }

  get trace(): string {
    return this.#recorder.id;
  }

  /** What is to go where, and the facts that are known about it. */
  async asked(objective: string, facts: object): Promise<void> {
    const agents = [LEAD, POLICY, DELIVERY, AUDITOR, OPERATOR];
    await this.#record([
      {
        actor: LEAD,
        type: "session_initialized",
        body: {
          task: "deliver",
          objective: cut(objective),
          profile: "solo",
          agents: agents.map(({ agent, role }) => ({ agent, roles: [role] })),
        },
      },
      {
        actor: LEAD,
        type: "proposal_created",
        body: {
          proposal_id: HANDOVER,
          units: [
            {
              objective: cut(objective),
              assumptions: [],
              required_tools: [DELIVERY.agent],
              expected_evidence: [DELIVERED],
            },
          ],
        },
      },
      {
        actor: POLICY,
        type: "proposal_reviewed",
        body: {
          proposal_id: HANDOVER,
          proposal_status: "approved",
          risk_assessment: "To be decided by the policies, from the facts of the delivery",
          rationale: "Nothing leaves before the policies have decided.",
        },
      },
      {
        actor: DELIVERY,
        type: "tool_intent_signed",
        body: {
          intent_id: HANDOVER,
          proposal_id: HANDOVER,
          tool_name: DELIVERY.agent,
          normalized_input_hash: "facts.json",
          risk_class: "high",
          justification: "To a listed destination, signed, and as its list says encrypted",
        },
        // A command line may hold what a decision needed and a record must not keep.
        artifacts: [json("facts.json", redactJson(facts as Json).value)],
      },
    ]);
  }

  /** The decision about the delivery, with what is known of the run, before anything leaves. */
  async decided(
    refusal: ExecRefusal | undefined,
    destination: string,
    { summary, decision }: { summary?: RunSummary; decision?: AdmissionDecision },
  ): Promise<void> {
    const no = refusal && `${refusal.rule}: ${refusal.reason}`;
    await this.#record([
      {
        actor: POLICY,
        type: "intent_reviewed",
        body: {
          intent_id: HANDOVER,
          intent_status: no === undefined ? "approved" : "blocked",
          rationale: cut(no ?? allowedBy(decision)),
        },
        artifacts: decision === undefined ? [] : [json("decision.json", decision)],
      },
      {
        actor: POLICY,
        type: "decision_recorded",
        body: {
          decision_id: HANDOVER,
          context: cut(summary?.words ?? "Nothing of the run was read."),
          options: [cut(`hand over to ${destination}`), "keep it here"],
          choice: cut(no === undefined ? `hand over to ${destination}` : `keep it here: ${no}`),
          ...(summary === undefined ? {} : { evidence: ["summary.json"] }),
        },
        artifacts: summary === undefined ? [] : [json("summary.json", summary.document)],
      },
      ...(no === undefined ? [] : [aborted(no)]),
    ]);
  }

  /** Whoever asked for it wants it no more. */
  async calledOff(): Promise<void> {
    await this.#record([aborted(CALLED_OFF)]);
  }

  async began(): Promise<void> {
    await this.#record([
      {
        actor: DELIVERY,
        type: "tool_execution_started",
        body: { execution_id: HANDOVER, intent_id: HANDOVER },
      },
    ]);
  }

  /** Does it; what did not arrive failed, and the record says so, as far as it can be written. */
  async attempt<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      await this.failed(messageOf(error)).catch(() => {});
      throw error;
    }
  }

  async failed(failure: string): Promise<void> {
    await this.#record([
      {
        actor: DELIVERY,
        type: "tool_execution_failed",
        body: { execution_id: HANDOVER, failure: cut(failure), handling: "accept" },
      },
      aborted(failure),
    ]);
  }

  /**
   * It arrived; the document says what, where and how long it is.
   *
   * @param next what to do where this cannot be recorded
   * @throws SwornError that says first of all that it arrived: no fault of ours afterwards makes that untrue.
   */
  async completed(words: string, delivered: unknown, next: string): Promise<void> {
    try {
      await this.#arrived(words, delivered);
    } catch (cause) {
      const code = cause instanceof SwornError ? cause.code : "LEDGER_WRITE_FAILED";
      const open = `it arrived, but its record ${this.trace} could not be brought to its end`;
      throw new SwornError(code, `${words}; ${open}: ${messageOf(cause)}. ${next}`, { cause });
    }
  }

  async #arrived(words: string, delivered: unknown): Promise<void> {
    await this.#record([
      {
        actor: DELIVERY,
        type: "tool_execution_completed",
        body: { execution_id: HANDOVER, exit_status: 0, summary: cut(words) },
        artifacts: [json(DELIVERED, delivered)],
      },
      {
        actor: DELIVERY,
        type: "claim_issued",
        body: {
          claim_id: HANDOVER,
          claim_text: cut(words),
          confidence: 100,
          evidence: [DELIVERED],
          execution_ids: [HANDOVER],
        },
      },
      {
        actor: LEAD,
        type: "final_statement_signed",
        body: { consolidated_claim_ids: [HANDOVER], final_verdict_text: cut(words) },
      },
      { actor: AUDITOR, type: "verification_run_started", body: { verification_id: "audit" } },
      {
        actor: AUDITOR,
        type: "verification_run_completed",
        body: { verification_id: "audit", status: "pass" },
      },
    ]);
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

function allowedBy(decision: AdmissionDecision | undefined): string {
  return decision === undefined
    ? "the place is listed, the record of the work verifies, and no secret was found in it"
    : `the policies ${decision.policy_digest.slice(0, 12)} allow it`;
}

function aborted(reason: string): EventRequest {
  return { actor: OPERATOR, type: "session_aborted", body: { reason: cut(reason) } };
}
