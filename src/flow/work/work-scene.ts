import type { CommitMaker, Repository } from "../../repo/index.ts";
import type { Profile } from "../../schema/index.ts";
import type { SubtaskStatus, WorkSeats } from "../../schema/work.ts";
import type { Place } from "../place.ts";
import type { Extract } from "./collect-left.ts";
import type { ExitGates } from "./exit-gates.ts";
import type { Replanner } from "./replan.ts";
import type { ProjectStaging } from "./staging.ts";
import type { Prover, Worker } from "./work-parts.ts";
import type { WorkRecord } from "./work-record.ts";
import type { WorkState } from "./work-state.ts";

/** What a change does to the tests. */
export interface Weakened {
  readonly weakened: readonly string[];
  readonly notes: readonly string[];
}

/** Who does what in a work, and where it happens. */
export interface WorkScene {
  /** Its name: its branch, its folder and its tasks are called after it. */
  readonly id: string;
  readonly place: Place;
  readonly repository: Repository;
  readonly maker: CommitMaker;
  readonly staging: ProjectStaging;
  readonly worker: Worker;
  /** What the worker is called; whoever goes on with the work asks for the same one. */
  readonly workerName: string;
  /** Who sits where, for the report. */
  readonly seats?: WorkSeats | undefined;
  readonly prover: Prover;
  readonly gates: ExitGates;
  readonly replanner?: Replanner | undefined;
  /** The tests that a change weakens, in words, and what is worth knowing about them besides. */
  readonly weakenedBy: (before: string, after: string) => Promise<Weakened>;
  readonly extract?: Extract | undefined;
  /** What its proofs run in, by name and digest. */
  readonly environment?: string | undefined;
  readonly profile: Profile;
  readonly parallel: number;
  /** How often a subtask is tried, the first time included. */
  readonly triesMax: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkEvent) => void;
}

/** A work that is under way. */
export interface RunningWork extends WorkScene {
  readonly record: WorkRecord;
  readonly state: WorkState;
}

/** What happens, for whoever watches. */
export interface WorkEvent {
  /** The subtask, or the step that comes after all of them. */
  readonly about: string;
  readonly words: string;
  /** How the subtask stands now, where it is about one. */
  readonly status?: SubtaskStatus | undefined;
}

/** What a work is called in tasks, references and folders, from its trace. */
export function workIdOf(trace: string): string {
  return trace.replace(/^trace_/, "").toLowerCase();
}

/** The trace of a work by its name. */
export function traceOfWork(id: string): string {
  return `trace_${id.toUpperCase()}`;
}

/** Where a try's commit is kept, so that no clean-up of git's takes it. */
export function tryRef(id: string, execution: string): string {
  return `refs/sworn/work/${id}/${execution}`;
}

/** The branch that a work ends on; never one that somebody has checked out. */
export function branchOf(id: string): string {
  return `sworn/work/${id}`;
}

/** What the runs of one subtask are filed under. */
export function taskOf(id: string, subtask: string): string {
  return `work-${id}-${subtask.toLowerCase()}`;
}
