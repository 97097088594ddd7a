import type { DesignFacts } from "../../../plan/gate/index.ts";
import type {
  Doubts,
  ExistingSystem,
  KnownTask,
  PlanQuestion,
} from "../../../plan/planner/index.ts";
import type { PlannerSteps, Unusable } from "./planner-steps.ts";

/** What one planning works with. */
export interface PlanningScene {
  readonly steps: PlannerSteps;
  readonly known: KnownTask;
  readonly doubts: Doubts;
  /** What the board says about the design; the gate looks at it too. */
  readonly design: DesignFacts;
  /** What exists already, as the project's facts have it. */
  readonly systems: readonly ExistingSystem[];
  /** Whether something is a file of the project at the commit that is planned from. */
  readonly isFile: (path: string) => boolean;
  /** Where staging folders lie. */
  readonly staging: { readonly root: string; readonly build: string };
}

/** Questions have to be answered before there can be a plan at all. */
export interface BlockedEarly {
  readonly kind: "blocked";
  readonly questions: readonly PlanQuestion[];
}

export type Ended = Unusable | BlockedEarly;

/** Whether a phase ended the planning. */
export function isEnded(outcome: object): outcome is Ended {
  return "kind" in outcome && (outcome.kind === "unusable" || outcome.kind === "blocked");
}
