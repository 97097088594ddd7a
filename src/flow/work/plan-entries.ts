import type { EventRequest, Profile, RequestedArtifact } from "../../schema/index.ts";
import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import { json } from "../exec/exec-record.ts";
import { cut } from "../record/entry-text.ts";
import { AUDITOR, EXECUTORS, GATE, LEAD, OPERATOR, STEPS } from "./work-entries.ts";

const UNITS_MAX = 100;
/** Tries that a killed runtime cut short do not count as a worker's; so many may happen. */
const CUT_SHORT_MAX = 12;

/** How the record calls a plan: the first one, and those that replaced it. */
export function proposalOf(number: number, part = 0): string {
  const name = number === 1 ? "plan" : `plan.${number}`;
  return part === 0 ? name : `${name}.part-${part + 1}`;
}

/** Which part of a plan's proposal a subtask is in. */
export function partOf(plan: Plan, id: string): number {
  return Math.floor(plan.subtasks.findIndex((one) => one.id === id) / UNITS_MAX);
}

/** What a work begins with, and who does it. */
export interface WorkStart {
  readonly commit: string;
  readonly worker: string;
  /** The task whose board the plan was judged on. */
  readonly task?: string | undefined;
  /** What its proofs ran in, by name and digest. */
  readonly environment?: string | undefined;
}

export function opening(about: {
  readonly plan: Plan;
  readonly contract: string;
  readonly start: WorkStart;
  readonly profile: Profile;
  readonly gate: unknown;
  readonly triesMax: number;
}): EventRequest[] {
  const people = [LEAD, GATE, AUDITOR, OPERATOR].map(({ agent, role }) => ({
    agent,
    roles: [role],
  }));
  return [
    {
      actor: LEAD,
      type: "session_initialized",
      body: {
        task: "work",
        objective: cut(about.plan.verimapped_task),
        profile: about.profile,
        policy: { attempts_max: Math.min(20, about.triesMax + CUT_SHORT_MAX) },
        agents: [...people, ...EXECUTORS.map((agent) => ({ agent, roles: ["executor" as const] }))],
      },
    },
    ...proposing(about, 1, undefined),
  ];
}

export function replanning(about: {
  readonly plan: Plan;
  readonly contract: string;
  readonly number: number;
  readonly failed: string;
  readonly gate: unknown;
}): EventRequest[] {
  return proposing(about, about.number, about.failed);
}

function proposing(
  about: {
    readonly plan: Plan;
    readonly contract: string;
    readonly gate: unknown;
    readonly start?: WorkStart;
  },
  number: number,
  failed: string | undefined,
): EventRequest[] {
  const { plan, contract, gate, start } = about;
  const parts = Array.from({ length: Math.ceil(plan.subtasks.length / UNITS_MAX) }, (_, at) => at);
  const artifacts: RequestedArtifact[] = [
    { name: proposalOf(number), text: contract, media_type: "application/json" },
    ...(start === undefined ? [] : [json("start", start)]),
  ];
  const proposals = parts.map((part): EventRequest => {
    const units = plan.subtasks.slice(part * UNITS_MAX, (part + 1) * UNITS_MAX).map(unitOf);
    const fallback = failed === undefined ? {} : { fallback_for: failed };
    const body = { proposal_id: proposalOf(number, part), units, ...fallback };
    const carried = part === 0 ? artifacts : [];
    return { actor: LEAD, type: "proposal_created", body, artifacts: carried };
  });
  const reviews = parts.map((part): EventRequest => {
    const id = proposalOf(number, part);
    const body = {
      proposal_id: id,
      proposal_status: "approved" as const,
      risk_assessment: "Workers change files in trees of their own, sealed off",
      rationale: "The plan passed the gate; its report is stored with its first part.",
    };
    const carried = part === 0 ? [json(`${id}.gate`, gate)] : [];
    return { actor: GATE, type: "proposal_reviewed", body, artifacts: carried };
  });
  // All of them first: with the first yes work has begun, and then nothing new is proposed.
  return [...proposals, ...reviews];
}

function unitOf({ id, name, depends_on }: PlanSubtask) {
  return {
    objective: cut(`${id}: ${name}`),
    assumptions: depends_on.map((upstream) => `${upstream} is proven`).slice(0, 100),
    required_tools: [id, `prove ${id}`, ...STEPS],
    expected_evidence: [`proofs of ${id}`],
  };
}
