import * as z from "zod";
import {
  AMBIGUITY_TYPES,
  QuestionId,
  RISKS,
  SubtaskId,
  Verimap,
  VerimapSubtask,
} from "../../schema/plan.ts";
import { CRITIQUE_KINDS, CRITIQUE_QUESTIONS_MIN, FACT_FILES } from "./step.ts";

const LIST_MAX = 100;
const Said = z
  .string()
  .min(1, "expected some text")
  .max(20_000)
  .refine((text) => text.isWellFormed(), "expected well-formed Unicode");
const Area = <T extends string>(outcome: T) => ({
  area: z.enum(AREAS),
  outcome: z.literal(outcome),
});

/** The places where requests are thin, in the order in which they are looked at. */
export const AREAS = [
  "SCOPE",
  "CONSTRAINTS",
  "INTEGRATION",
  "INVALID",
  "EMPTY",
  "MAXIMUM",
  "CONCURRENT",
  "TIMEOUT",
  "SUCCESS",
] as const;
export type Area = (typeof AREAS)[number];

/** Phase 0: whether the system is what the request says. */
export const FactsAnswer = z.strictObject({
  premise: z.enum(["CONFIRMED", "DIFFERS", "FALSE", "UNVERIFIED"]),
  files_read: z.array(Said.max(1_000)).max(FACT_FILES.max),
  findings: z.array(z.strictObject({ statement: Said, evidence: Said.max(1_000) })).max(LIST_MAX),
});
export type FactsAnswer = z.infer<typeof FactsAnswer>;

/** What became of one place of the scan. */
const ScannedArea = z.discriminatedUnion("outcome", [
  z.strictObject({ ...Area("stated"), quote: Said }),
  z.strictObject({ ...Area("not_applicable"), why: Said }),
  z.strictObject({
    ...Area("asked"),
    ambiguity: Said,
    ambiguity_type: z.enum(AMBIGUITY_TYPES),
    question: Said,
    /** Why the answer changes the plan. */
    context: Said,
    default_assumed: Said,
  }),
  z.strictObject({
    ...Area("assumed"),
    ambiguity: Said,
    ambiguity_type: z.enum(AMBIGUITY_TYPES),
    resolution: Said,
    /** An assumption is never of low risk: low is what somebody said or saw. */
    assumption_risk: z.enum(RISKS).exclude(["LOW"]),
  }),
]);

/** Phase 1: every place of the scan, each with what settles it. */
export const SweepAnswer = z.strictObject({ areas: z.array(ScannedArea).max(LIST_MAX) });
export type SweepAnswer = z.infer<typeof SweepAnswer>;

/** Phase 2: one engineer's reading. */
export const EngineerAnswer = z
  .strictObject({
    interpretation: Said,
    done: Said,
    concern: Said,
    verdict: z.enum(["TRACTABLE", "UNCERTAIN", "IMPOSSIBLE"]),
    explanation: z.string().max(20_000),
    confidence: z.int().min(0).max(100),
    risk: z.enum(RISKS),
  })
  .refine(({ verdict, explanation }) => verdict !== "IMPOSSIBLE" || explanation.trim() !== "", {
    path: ["explanation"],
    message: "an IMPOSSIBLE reading leaves with an explanation",
  });
export type EngineerAnswer = z.infer<typeof EngineerAnswer>;

const DraftSubtask = VerimapSubtask.omit({ kingdom_collision_check: true });

/** Phase 3: those parts of a plan that are the planner's to write; the runtime adds the others. */
export const Draft = z.strictObject({
  ...Verimap.pick({
    verimapped_task: true,
    scope: true,
    negative_contract: true,
    assembly_order: true,
  }).shape,
  subtasks: z.array(DraftSubtask).min(1).max(1_000),
  /** Which subtask an open question holds up. */
  blocks: z.record(QuestionId, SubtaskId),
});
export type Draft = z.infer<typeof Draft>;
export type DraftSubtask = Draft["subtasks"][number];

/** The collision check of one subtask. */
export const CollisionAnswer = VerimapSubtask.shape.kingdom_collision_check;
export type CollisionAnswer = z.infer<typeof CollisionAnswer>;

/** Phase 4: the questions of somebody who wants to break the plan. */
export const QuestionsAnswer = z.strictObject({
  questions: z
    .array(z.strictObject({ kind: z.enum(CRITIQUE_KINDS), question: Said.max(2_000) }))
    .min(CRITIQUE_QUESTIONS_MIN)
    .max(20),
});
export type QuestionsAnswer = z.infer<typeof QuestionsAnswer>;

/** What somebody says to one of them who has not seen the plan. */
export const BlindAnswer = z.strictObject({ answer: Said });

/** How the plan compares with what they said. */
export const ComparisonAnswer = z.strictObject({
  comparisons: z
    .array(
      z.strictObject({
        /** Its number, from 1. */
        question: z.int().min(1).max(20),
        severity: z.enum(["NONE", "MINOR", "MAJOR", "CRITICAL"]),
        why: Said,
      }),
    )
    .max(LIST_MAX),
});
export type ComparisonAnswer = z.infer<typeof ComparisonAnswer>;
