import type { BlockingQuestion, Plan, Verimap } from "../../schema/plan.ts";
import type { CollisionAnswer, Draft } from "./answer-shapes.ts";
import type { Interpretations } from "./choose-interpretation.ts";

/** Something that was unclear, as the plan keeps it. */
export type Ambiguity = Verimap["ambiguities_resolved"][number];

/** A question before it is known which subtask waits for it. */
export interface PlanQuestion extends Omit<BlockingQuestion, "id" | "blocking"> {
  /** Set where it is known already. */
  readonly blocking?: string;
}

/** Everything that a plan is put together from. */
export interface PlanParts {
  readonly request: string;
  readonly draft: Draft;
  readonly selected: NonNullable<Interpretations["selected"]>;
  readonly rejected: Interpretations["rejected"];
  readonly doubts: {
    readonly ambiguities: readonly Ambiguity[];
    readonly questions: readonly PlanQuestion[];
  };
  readonly collisions: ReadonlyMap<string, CollisionAnswer>;
  readonly critique: string;
  /** Where staging folders lie: an absolute folder, and the name of this build in it. */
  readonly staging: { readonly root: string; readonly build: string };
}

/** What the gate counts and the plan has to repeat. */
export interface Counted {
  readonly points: number;
  readonly deductions: readonly { readonly reason: string; readonly points: number }[];
  readonly isReady: boolean;
}

/** The name of a question by its place. */
export function questionId(at: number): string {
  return `BQ-${String(at + 1).padStart(2, "0")}`;
}

/**
 * The whole plan, from what each phase gave. What the runtime knows better than a planner it writes
 * itself: the request's own words, staging paths, who has to put parts together. The score is not
 * in it yet: the gate counts that.
 */
export function assemblePlan(parts: PlanParts): Verimap {
  const { draft, selected } = parts;
  const { ambiguities, questions } = parts.doubts;
  const [first = "ST-01"] = draft.assembly_order;
  return {
    verimapped_task: draft.verimapped_task,
    original_request: parts.request,
    interpretation_selected: `${selected.reading.interpretation} (${selected.because})`,
    interpretations_rejected: parts.rejected.map((one) => ({ ...one })),
    ambiguities_resolved: [...ambiguities],
    scope: draft.scope,
    negative_contract: draft.negative_contract,
    subtasks: draft.subtasks.map((subtask) => ({
      ...subtask,
      kingdom_collision_check: parts.collisions.get(subtask.id) ?? NOTHING_TOUCHED,
    })),
    staging_paths: Object.fromEntries(
      draft.subtasks.map(({ id }) => [id, stagingOf(id, parts.staging)]),
    ),
    deacon_required: draft.subtasks.length > 1,
    assembly_order: draft.assembly_order,
    cove_critique_summary: parts.critique,
    confidence_deductions: [],
    confidence_score: 1,
    handoff_ready: false,
    blocking_questions: questions.map(({ blocking, ...question }, at) => ({
      id: questionId(at),
      ...question,
      blocking: blocking ?? draft.blocks[questionId(at)] ?? first,
    })),
    witness_debrief: "",
  };
}

/** The same plan with what the gate counted. */
export function withCount<T extends Verimap | Plan>(plan: T, counted: Counted, found: string): T {
  const { points, deductions, isReady } = counted;
  const scored = {
    ...plan,
    confidence_deductions: deductions.map((one) => ({
      reason: one.reason,
      amount: -one.points / 100,
    })),
    confidence_score: points / 100,
    handoff_ready: isReady,
  };
  return { ...scored, witness_debrief: debriefOf(scored, found) };
}

const NOTHING_TOUCHED: CollisionAnswer = {
  verdict: "None",
  verification_status: "VERIFIED",
  evidence: "It touches no state, storage, messages or schedule.",
};

function stagingOf(id: string, { root, build }: PlanParts["staging"]) {
  const folder = `${root}/.forge-staging/${build}/polecat_${id}/`;
  return {
    staging_dir: folder,
    output_file: `${folder}output.json`,
    sentinel_file: `${folder}POLECAT_DONE`,
  };
}

/** Why the plan stands where it stands, and what could begin all the same. */
function debriefOf(plan: Verimap | Plan, found: string): string {
  const { blocking_questions: questions, confidence_deductions: deductions } = plan;
  const sum = deductions.map(({ reason, amount }) => `${amount.toFixed(2)} ${reason}`).join("; ");
  const free = startable(plan);
  return [
    `Score ${plan.confidence_score.toFixed(2)}${sum === "" ? ", nothing deducted" : `: 1.00 ${sum}`}.`,
    `Fact check: ${found}`,
    ...questions.map(({ id, blocking, context }) => `${id} protects ${blocking}: ${context}`),
    free.length === 0 ? "Nothing could start now." : `Could start now: ${free.join(", ")}.`,
  ].join(" ");
}

/** What waits neither for a question nor for another subtask. */
function startable({ subtasks, blocking_questions }: Verimap | Plan): string[] {
  const held = new Set(blocking_questions.map(({ blocking }) => blocking));
  return subtasks
    .filter(({ id, depends_on }) => depends_on.length === 0 && !held.has(id))
    .map(({ id }) => id);
}
