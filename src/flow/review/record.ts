import { assert } from "../../base/index.ts";
import type { Body, EventRequest, RequestedArtifact } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { cut } from "../record/entry-text.ts";
import { Recorder } from "../record/recorder.ts";

/** Those who act in every review beside the reviewers; each has a key of its own. */
const LEAD = { agent: "lead", role: "planner" } as const;
const CHECKER = { agent: "checker", role: "critic" } as const;
const AUDITOR = { agent: "auditor", role: "auditor" } as const;
const BINDER = { agent: "binder", role: "executor" } as const;
const OPERATOR = { agent: "operator", role: "operator" } as const;
const PROPOSAL = "review";
const JUSTIFICATIONS = {
  here: "It reads; it changes and runs nothing",
  elsewhere: "It was written elsewhere, and nobody watched; here it is only read",
};

/** A reviewer as the record knows it: its name, and what it is asked to do. */
export interface RecordedReviewer {
  readonly name: string;
  readonly role: string;
}

/** What one reviewer handed in, and what checking it against the source gave. */
export interface ReviewerOutput {
  readonly name: string;
  /** What it said, as it came or as JSON. */
  readonly output: { readonly text: string; readonly mediaType: string };
  /** The verdict on each of its findings, as JSON. */
  readonly verdicts: string;
  readonly claim: string;
  /** How sure its author is, in points. */
  readonly confidence: number;
  /** What the source says of each of its findings. */
  readonly checks: readonly FindingCheck[];
  /** Why the claim cannot stand; absent when it can. */
  readonly refuted?: string;
}

/** What the source says of one finding, as the record keeps it. */
export type FindingCheck = Omit<Body<"finding_checked">, "claim_id">;

/**
 * Writes a review into a trace, in the words of the protocol: a proposal names the reviewers, each
 * runs as an execution, its findings are a claim, and what the source refutes is a challenge that
 * strikes the claim. Stages propose; only this records.
 */
export class ReviewRecord {
  readonly #recorder: Recorder;

  private constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** A record that has a name and nothing else yet. */
  static start(place: Place): ReviewRecord {
    return new ReviewRecord(Recorder.start(place));
  }

  /** Opens the session. The contract says what every reviewer owes. */
  async begin(about: {
    readonly objective: string;
    readonly reviewers: readonly RecordedReviewer[];
    readonly contract: string;
  }): Promise<void> {
    const executors = [...about.reviewers.map(({ name }) => name), BINDER.agent];
    const agents = [LEAD, CHECKER, AUDITOR, OPERATOR].map(({ agent, role }) => ({
      agent,
      roles: [role],
    }));
    const units = about.reviewers.map(({ name, role }) => unitOf(name, role));
    await this.#record([
      {
        actor: LEAD,
        type: "session_initialized",
        body: {
          task: "review",
          objective: cut(about.objective),
          profile: "solo",
          agents: [
            ...agents,
            ...executors.map((agent) => ({ agent, roles: ["executor" as const] })),
          ],
        },
      },
      {
        actor: LEAD,
        type: "proposal_created",
        body: {
          proposal_id: PROPOSAL,
          units: [...units, unitOf(BINDER.agent, "Brings the checked findings together")],
        },
        artifacts: [{ name: "contract", text: about.contract, media_type: "application/json" }],
      },
      {
        actor: CHECKER,
        type: "proposal_reviewed",
        body: {
          proposal_id: PROPOSAL,
          proposal_status: "approved",
          risk_assessment: "Low: reviewers read the commit's contents and run nothing of them",
          rationale: "Every finding will be compared with the source before anybody sees it.",
        },
      },
    ]);
  }

  get trace(): string {
    return this.#recorder.id;
  }

  /** A reviewer begins with this input: the files it was given, by their contents' ids. */
  async started(name: string, input: string, where: "here" | "elsewhere"): Promise<void> {
    await this.#run(name, input, JUSTIFICATIONS[where]);
  }

  /** A reviewer could not do its work. */
  async failed(name: string, why: string): Promise<void> {
    await this.#record([
      {
        actor: executor(name),
        type: "tool_execution_failed",
        body: { execution_id: name, failure: cut(why), handling: "accept" },
      },
    ]);
  }

  /** A reviewer has handed in what it found. */
  async finished({ name, output, verdicts }: ReviewerOutput, summary: string): Promise<void> {
    await this.#record([
      {
        actor: executor(name),
        type: "tool_execution_completed",
        body: { execution_id: name, exit_status: 0, summary: cut(summary) },
        artifacts: [
          { name: `${name}.out`, text: output.text, media_type: output.mediaType },
          { name: `${name}.verdicts`, text: verdicts, media_type: "application/json" },
        ],
      },
    ]);
  }

  /** Every reviewer's findings are its claim; a claim with made-up findings in it does not stand. */
  async claim({ name, claim, confidence, checks, refuted }: ReviewerOutput): Promise<void> {
    const requests: EventRequest[] = [
      {
        actor: executor(name),
        type: "claim_issued",
        body: {
          claim_id: name,
          claim_text: cut(claim),
          confidence,
          evidence: [`${name}.out`, `${name}.verdicts`],
          execution_ids: [name],
        },
      },
    ];
    for (const check of checks) {
      const body = { ...check, claim_id: name };
      requests.push({ actor: CHECKER, type: "finding_checked", body });
    }
    if (refuted !== undefined) requests.push(...struck(name, refuted));
    await this.#record(requests);
  }

  /** The report is the binder's work. */
  async bind(input: string, artifacts: readonly RequestedArtifact[], claim: string): Promise<void> {
    await this.#run(BINDER.agent, input, JUSTIFICATIONS.here);
    await this.#record([
      {
        actor: BINDER,
        type: "tool_execution_completed",
        body: { execution_id: BINDER.agent, exit_status: 0, summary: cut(claim) },
        artifacts: [...artifacts],
      },
      {
        actor: BINDER,
        type: "claim_issued",
        body: {
          claim_id: BINDER.agent,
          claim_text: cut(claim),
          confidence: 100,
          evidence: artifacts.flatMap(({ name }) => name ?? []),
          execution_ids: [BINDER.agent],
        },
      },
    ]);
  }

  /** Ends the session: what stands is consolidated and verified. */
  async conclude(standing: readonly string[], verdict: string): Promise<void> {
    await this.#record([
      {
        actor: LEAD,
        type: "final_statement_signed",
        body: {
          consolidated_claim_ids: [...standing, BINDER.agent],
          final_verdict_text: cut(verdict),
        },
      },
      { actor: AUDITOR, type: "verification_run_started", body: { verification_id: "audit" } },
      {
        actor: AUDITOR,
        type: "verification_run_completed",
        body: { verification_id: "audit", status: "pass" },
      },
    ]);
  }

  /** Ends the session early; the record stays whole. */
  async abort(reason: string): Promise<void> {
    await this.#record([
      { actor: OPERATOR, type: "session_aborted", body: { reason: cut(reason) } },
    ]);
  }

  close(): void {
    this.#recorder.close();
  }

  async #run(name: string, input: string, justification: string): Promise<void> {
    const actor = executor(name);
    await this.#record([
      {
        actor,
        type: "tool_intent_signed",
        body: {
          intent_id: name,
          proposal_id: PROPOSAL,
          tool_name: name,
          normalized_input_hash: `${name}.in`,
          risk_class: "low",
          justification,
        },
        artifacts: [{ name: `${name}.in`, text: input, media_type: "application/json" }],
      },
      { actor, type: "tool_execution_started", body: { execution_id: name, intent_id: name } },
    ]);
  }

  async #record(requests: readonly EventRequest[]): Promise<void> {
    const { refusal } = await this.#recorder.record(requests, { artifactRoots: [] });
    // We wrote the script; a refusal is our mistake and nobody else's.
    assert(refusal === undefined, `the protocol refuses: ${refusal?.reason}`);
  }
}

function unitOf(name: string, role: string) {
  return {
    objective: cut(role),
    assumptions: [],
    required_tools: [name],
    expected_evidence: [`${name}.out`],
  };
}

function struck(name: string, why: string): EventRequest[] {
  const challenge = `${name}.refuted`;
  return [
    {
      actor: CHECKER,
      type: "claim_challenged",
      body: {
        challenge_id: challenge,
        claim_id: name,
        reason: cut(why),
        evidence: [`${name}.verdicts`],
      },
    },
    {
      actor: CHECKER,
      type: "challenge_resolved",
      body: {
        challenge_id: challenge,
        resolution: "upheld",
        rationale: "The source at the reviewed commit does not have what was quoted.",
      },
    },
  ];
}

const executor = (agent: string) => ({ agent, role: "executor" as const });
