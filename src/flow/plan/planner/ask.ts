import type { StepName } from "../../../plan/planner/index.ts";
import type { CountedBy } from "../../agent/ceiling.ts";

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
  /** Uses of tools, and how they were counted. */
  readonly toolCalls: number;
  readonly countedBy: CountedBy;
  /** Why its words cannot be taken for an answer: it failed, or was ended. */
  readonly failure: string | undefined;
  readonly ms: number;
  /** The run's own id and trace, where there was one. */
  readonly run: string | undefined;
}

/** What is taken for an answer although nobody was asked. */
export const NOBODY: Omit<Heard, "text"> = {
  toolCalls: 0,
  countedBy: "nothing",
  failure: undefined,
  ms: 0,
  run: undefined,
};

/** Whoever answers: an agent in a sandbox, or in tests somebody who has the answers ready. */
export type Ask = (asked: Asked) => Promise<Heard>;
