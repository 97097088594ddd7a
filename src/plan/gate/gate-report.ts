import type { Plan } from "../../schema/plan.ts";
import type { RuleName } from "./rules.ts";

/** One thing that keeps a plan from being used, where it stands, and what to write instead. */
export interface Violation {
  readonly rule: RuleName;
  /** Where in the file: `subtasks[0].depends_on[1]`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Points that a plan loses, as a positive number. */
export interface Deduction {
  readonly reason: string;
  readonly points: number;
}

/** Something that a person has to say before the subtask it names may begin. */
export interface GateQuestion {
  readonly id: string;
  readonly question: string;
  readonly context: string;
  readonly default: string;
  /** The subtask that waits for it, with all that depends on it; null for the whole plan. */
  readonly blocks: string | null;
  /** Who asks: the plan itself, or the gate because of what it found. */
  readonly by: "plan" | "gate";
}

/** How a question was closed. */
export interface QuestionAnswer {
  readonly id: string;
  readonly answer: string;
  /** Nobody answered in time: the default holds, and costs what an assumption costs. */
  readonly isDefault: boolean;
}

/** What a design left for whoever plans; what it does not say is for the plan to decide. */
export interface DesignBrief {
  readonly subtask_count?: number | undefined;
  readonly staging_paths?: Plan["staging_paths"] | undefined;
  readonly assembly_order?: readonly string[] | undefined;
  readonly criteria?: readonly string[] | undefined;
}

/** What a task's board says about the design that came before the plan. */
export interface DesignFacts {
  readonly brief?: DesignBrief | undefined;
  /** What the design said when it ended. */
  readonly promise?: string | undefined;
  /** Why planning was passed over, where somebody put that on record. */
  readonly skippedReason?: string | undefined;
  /** Why there is no design, where a person said that none is needed. */
  readonly noneReason?: string | undefined;
}

/** What the gate has to know besides the file; all of it comes from records, never from the plan. */
export interface GateFacts {
  /** How many gaps the last recorded critique round found; without one, the plan's summary has to say. */
  readonly critiqueGaps?: number | undefined;
  readonly answers?: readonly QuestionAnswer[] | undefined;
  /** The board's word about the design; absent where the plan belongs to no task. */
  readonly design?: DesignFacts | undefined;
}

/** What the gate found. The same value and facts always give the same report. */
export interface GateReport {
  /** Which of the two forms it is; a file that is neither is judged as a VeriMAP. */
  readonly form: "verimap" | "plan";
  /** The plan in our own form with all its proofs; absent as long as its shape is broken. */
  readonly plan?: Plan;
  /** No violation, no open question, and 90 points or more. */
  readonly ready: boolean;
  readonly points: number;
  readonly deductions: readonly Deduction[];
  readonly violations: readonly Violation[];
  /** Those that are open. */
  readonly questions: readonly GateQuestion[];
  /** What is worth knowing and keeps nothing from starting. */
  readonly notes: readonly string[];
}
