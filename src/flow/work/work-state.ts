import { assert, canonicalize, sha256Hex } from "../../base/index.ts";
import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import type { SubtaskStatus, TryOrder, TryProofs, TryWork } from "../../schema/work.ts";
import type { WorkStart } from "./plan-entries.ts";

/** What a try is called to have failed of when its runtime was killed; it is not the worker's. */
export const CUT_SHORT = "the runtime was ended before the try was";
/** And when somebody called the work off. */
export const CALLED_OFF = "the work was called off";

/** One try of a subtask, as far as it is recorded. */
export interface Try {
  readonly execution: string;
  /** The number of the plan that it belongs to. */
  readonly plan: number;
  readonly order: TryOrder;
  status: "running" | "proven" | "failed";
  /** Whether the record owes another try after it. */
  isOwed: boolean;
  why?: string | undefined;
  work?: TryWork | undefined;
  proofs?: TryProofs | undefined;
  /** The execution of its proofs. */
  proof?: string | undefined;
  /** How often its proofs were begun. */
  proofRounds: number;
}

function isWorkersFailure({ status, why }: Try): boolean {
  return status === "failed" && why !== CUT_SHORT && why !== CALLED_OFF;
}

/** What came of a subtask so far. */
export class SubtaskState {
  readonly id: string;
  readonly tries: Try[] = [];
  /** Why a person lets it through although it may not be proven. */
  waivedFor: string | undefined;
  /** Whether an open question keeps it from beginning. */
  isBlocked = false;
  /** Why it could not even begin: what it stands on does not fit together. */
  stuck: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  get proven(): Try | undefined {
    return this.tries.find(({ status }) => status === "proven");
  }

  get last(): Try | undefined {
    return this.tries.at(-1);
  }

  /** The last try that a worker failed: what cut it short otherwise is nothing that it could put right. */
  get lastFailed(): Try | undefined {
    return this.tries.findLast(isWorkersFailure);
  }

  /** The tries that count against the bound: those of this plan that a worker failed. */
  failures(plan: number): number {
    return this.tries.filter((one) => one.plan === plan && isWorkersFailure(one)).length;
  }
}

/** A plan as it is frozen. */
export interface FrozenPlan {
  readonly number: number;
  readonly plan: Plan;
  /** Its one spelling, and the digest of it: the contract's. */
  readonly text: string;
  readonly digest: string;
}

/** Freezes a plan: from here on it is what its digest says. */
export function freeze(plan: Plan, number: number): FrozenPlan {
  const text = canonicalize(plan);
  return { number, plan, text, digest: sha256Hex(text) };
}

/** What is known of a work: read from its trace, and kept in step with it. */
export class WorkState {
  /** The commit that all of it began with. */
  readonly start: string;
  /** What the worker is called. */
  readonly worker: string;
  readonly task: string | undefined;
  #frozen: FrozenPlan;
  #subtasks = new Map<string, SubtaskState>();

  constructor({ commit, worker, task }: WorkStart, frozen: FrozenPlan) {
    this.start = commit;
    this.worker = worker;
    this.task = task;
    this.#frozen = frozen;
    this.adopt(frozen);
  }

  get frozen(): FrozenPlan {
    return this.#frozen;
  }

  get plan(): Plan {
    return this.#frozen.plan;
  }

  /** Goes on with another plan: what it has in common with the one before keeps its state. */
  adopt(frozen: FrozenPlan): void {
    const before = this.#subtasks;
    this.#frozen = frozen;
    this.#subtasks = new Map(
      frozen.plan.subtasks.map(({ id }) => [id, before.get(id) ?? new SubtaskState(id)]),
    );
    for (const subtask of this.#subtasks.values()) subtask.stuck = undefined;
  }

  get subtasks(): readonly SubtaskState[] {
    return [...this.#subtasks.values()];
  }

  of(id: string): SubtaskState {
    const found = this.#subtasks.get(id);
    assert(found !== undefined, `${id} is in the plan`);
    return found;
  }

  has(id: string): boolean {
    return this.#subtasks.has(id);
  }

  statusOf(id: string): SubtaskStatus | undefined {
    const subtask = this.#subtasks.get(id);
    if (subtask === undefined) return undefined;
    const { proven, waivedFor, last, isBlocked, stuck } = subtask;
    if (proven !== undefined) return "proven";
    if (last?.status === "running") return "running";
    const isFailed = last?.status === "failed" && !last.isOwed && last.plan === this.#frozen.number;
    if (!isFailed && stuck === undefined && !isBlocked) return "waiting";
    // It is tried all the same; only what could not be proven or begun needs to be let through.
    if (waivedFor !== undefined) return "waived";
    return isFailed || stuck !== undefined ? "failed" : "blocked";
  }

  /** The runs that the record has the end of. */
  get knownRuns(): Set<string> {
    const ended = this.subtasks.flatMap(({ tries }) => tries).flatMap(({ work }) => work ?? []);
    return new Set(ended.map(({ run }) => run));
  }
}

/** The last try's commit, where its work counts. */
export function commitOf(state: SubtaskState): string | undefined {
  return (state.proven ?? (state.waivedFor === undefined ? undefined : state.last))?.work?.commit;
}

/** Whether two plans ask for the same in one subtask. */
export function isSameSubtask(one: PlanSubtask, other: PlanSubtask | undefined): boolean {
  return other !== undefined && canonicalize(one) === canonicalize(other);
}
