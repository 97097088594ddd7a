import type { StepName } from "../../../plan/planner/index.ts";

/** One thing that an agent is asked, with what it may use for the answer. */
export interface Asked {
  readonly step: StepName;
  readonly prompt: string;
  /** The most uses of tools; the run is ended at the next one. */
  readonly toolCalls: number;
  readonly signal: AbortSignal;
}

/** What an agent said. All of it is its own word, apart from how its run ended. */
export interface Heard {
  readonly text: string;
  /** Uses of tools that it told of. */
  readonly toolCalls: number;
  /** Why its words cannot be taken for an answer: it failed, or was ended. */
  readonly failure: string | undefined;
  readonly ms: number;
  /** The run's own id and trace, where there was one. */
  readonly run: string | undefined;
}

/** Whoever answers: an agent in a sandbox, or in tests somebody who has the answers ready. */
export type Ask = (asked: Asked) => Promise<Heard>;
