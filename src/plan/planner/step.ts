/** The five kinds of hostile questions. */
export const CRITIQUE_KINDS = [
  "DEPENDENCY",
  "FALSE_PASS",
  "MISSING_SUBTASK",
  "HANDOFF",
  "ASSUMPTION",
] as const;
/** Fewer questions are no critique. */
export const CRITIQUE_QUESTIONS_MIN = 5;
/** How many read a request, each alone. */
export const ENGINEERS = 3;
/** How often an answer may be handed in, the first time included. */
export const TRIES_MAX = 3;
/** How often a repaired plan is held against the blind answers. */
export const COMPARISONS_MAX = 3;
/** How many files the premise is confirmed from. */
export const FACT_FILES = { min: 5, max: 7 } as const;

/** One kind of run that planning is made of. */
export interface StepRule {
  /** The phase that it belongs to, from −1 to 6. */
  readonly phase: number;
  readonly title: string;
  /** How many uses of tools one such run has; undefined where no agent is asked. */
  readonly toolCalls: number | undefined;
  /** What becomes of a run that passes it: it counts as nothing known, or it is asked again. */
  readonly onOverrun: "unverified" | "again";
}

const asked = (phase: number, title: string, toolCalls: number): StepRule => ({
  ...{ phase, title, toolCalls },
  onOverrun: "again",
});

/**
 * The runs in their order. Each has a budget of its own, so that one cannot spend what is another's
 * and a shortage shows where it arises. Where a budget is a hard stop, nobody is asked twice.
 */
export const STEPS = {
  brief: { ...asked(-1, "design brief", 0), toolCalls: undefined },
  facts: { ...asked(0, "fact check", 10), onOverrun: "unverified" },
  sweep: asked(1, "ambiguity sweep", 5),
  engineer: asked(2, "three engineers", 5),
  graph: asked(3, "graph", 20),
  collision: { ...asked(3, "collision check", 2), onOverrun: "unverified" },
  questions: asked(4, "hostile questions", 5),
  // None: whoever may look around could find the plan.
  answer: asked(4, "blind answers", 0),
  comparison: asked(4, "comparison", 5),
  emit: { ...asked(5, "emit or block", 0), toolCalls: undefined },
  handover: { ...asked(6, "hand-over", 0), toolCalls: undefined },
} as const satisfies Readonly<Record<string, StepRule>>;
export type StepName = keyof typeof STEPS;
