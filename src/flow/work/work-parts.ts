import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import type { ProofOutcome } from "../../schema/work-proof.ts";

/** One try of one subtask, as whoever does it gets it. */
export interface WorkOrder {
  readonly subtask: PlanSubtask;
  /** What its runs are filed under; no other subtask's are. */
  readonly task: string;
  /** The digest of the plan that it belongs to. */
  readonly contract: string;
  /** The commit that it begins with: the start, and what its upstreams did. */
  readonly at: string;
  /** Its staging folder, seen from the top of its tree. */
  readonly staging: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/** What a worker left. None of it is believed: it is what the proofs are run against. */
export interface WorkLeft {
  readonly run: string;
  readonly status: "completed" | "failed" | "cancelled" | "refused";
  readonly why?: string | undefined;
  /** Its tree as it left it, staging folder included; the commit it began with when it did nothing. */
  readonly commit: string;
  /** What it said at the end. */
  readonly words: string;
  /** What it said of its work that was seen to be otherwise. */
  readonly refuted?: readonly string[];
  /** What else is to be known about it. */
  readonly notes?: readonly string[];
  /** Whether it can be asked for its own flaws: a program that answers nothing cannot. */
  readonly isAsked: boolean;
}

/** Does subtasks. Agents do, behind {@link AgentRunner}; tests and measurements bring others. */
export interface Worker {
  work(order: WorkOrder): Promise<WorkLeft>;
  /** What a run that was cut off from its record left, where it ended well all the same. */
  recover?(task: string, known: ReadonlySet<string>): Promise<WorkLeft | undefined>;
}

/** What proofs are held against. */
export interface ProofScene {
  readonly before: string;
  readonly after: string;
  /** The text that a subtask handed in as its output. */
  readonly output: string | undefined;
  /** The files, or folders, that the plan gives to whoever made the change. */
  readonly files: readonly string[];
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/** Makes the proofs of a subtask, in their order. */
export interface Prover {
  prove(subtask: PlanSubtask, scene: ProofScene): Promise<readonly ProofOutcome[]>;
}

/** Somebody who looks at the whole; see the three exit gates. */
export interface Seen {
  readonly before: string;
  readonly after: string;
  readonly plan: Plan;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/** Whether a file of a plan, or a folder with a slash at its end, is or holds a path. */
export function covers(file: string, path: string): boolean {
  return file.endsWith("/") ? path.startsWith(file) : path === file;
}

/** All files that a plan gives to somebody. */
export function filesOf({ subtasks }: Plan): readonly string[] {
  return subtasks.flatMap(({ files }) => files ?? []);
}
