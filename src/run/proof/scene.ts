import type { Json } from "../../base/index.ts";
import type { Environment, Repository } from "../../repo/index.ts";
import type { Engine, RootFiles } from "../../sandbox/index.ts";
import type { Limits } from "../../schema/execution.ts";
import type { ProofOutcome, WorkProof, WorkProofOf } from "../../schema/work-proof.ts";
import type { PythonPool } from "../python/index.ts";

/** What another agent thinks of one criterion. */
export interface JudgeWord {
  /** Out of 100: how sure it is of what it says. */
  readonly points: number;
  readonly pass: boolean;
  readonly reason: string;
}

/** Asks another agent; it is given nothing but these three. */
export type Judge = (
  criterion: string,
  rubric: string | undefined,
  text: string,
) => Promise<JudgeWord>;

/** What a sealed run of a command needs. */
export interface SealedScene {
  readonly repository: Repository;
  readonly engine: Engine;
  readonly root: RootFiles;
  /** The caller's, for git alone; no command sees it. */
  readonly env: Environment;
  /** What each command may use; the wall time of one is its `step_seconds`. */
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** What the proofs of one subtask are made on. */
export interface ProofScene extends SealedScene {
  /** The commit that the work began with. */
  readonly before: string;
  /** The commit that the work left. */
  readonly after: string;
  /** Whether the plan gives a file to whoever did the work: others that decide how a command runs are not theirs. */
  readonly mayChange: (path: string) => boolean;
  /** What python assertions judge; see {@link resultFor}. Without it they prove nothing. */
  readonly result?: Json | undefined;
  /** The keys that the plan declares for it. */
  readonly resultKeys?: readonly string[] | undefined;
  /** Whether it is what the worker handed in, and no fact that we took ourselves. */
  readonly isWorkersResult?: boolean | undefined;
  /** Why there is none, in words. */
  readonly noResult?: string | undefined;
  /** What a judge is shown; without it, the lines that the work added and took away. */
  readonly output?: string | undefined;
  readonly python: PythonPool;
  readonly judge?: Judge | undefined;
  /** Told what is being done, for whoever watches. */
  readonly onStep: (step: string) => void;
}

/** How one kind of proof is made. It may throw: what cannot be checked is unproven. */
export type Prove<K extends WorkProof["kind"]> = (
  proof: WorkProofOf<K>,
  scene: ProofScene,
) => Promise<ProofOutcome>;
