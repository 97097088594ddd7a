import * as z from "zod";
import { NamedTest, ProjectPath, WorkProof } from "./work-proof.ts";

const LIST_MAX = 1_000;
/** So many proofs a subtask can have, those that its checks come to included. */
export const PROOFS_MAX = LIST_MAX;
const Line = z
  .string()
  .max(65_536)
  .refine((text) => text.isWellFormed(), "expected well-formed Unicode");
const Said = Line.min(1, "expected some text").refine(
  (text) => /[^\s\p{C}\p{DI}]/u.test(text),
  "expected some text that can be seen",
);
const Lines = z.array(Said).max(LIST_MAX);
const RECORD_MAX = 1_000;

/** A subtask's name: `ST-01`. */
export const SubtaskId = z
  .string()
  .regex(/^ST-[0-9]{2,4}$/, 'expected "ST-" and two digits or more');
/** A blocking question's name: `BQ-01`. */
export const QuestionId = z
  .string()
  .regex(/^BQ-[0-9]{2,4}$/, 'expected "BQ-" and two digits or more');

const recordOf = <T extends z.ZodType>(key: z.ZodString, value: T) =>
  z
    .record(key, value)
    .refine((all) => Object.keys(all).length <= RECORD_MAX, `expected at most ${RECORD_MAX}`);

export const AMBIGUITY_TYPES = ["SEMANTIC", "SPECIFY", "GENERALIZE"] as const;
export const RISKS = ["LOW", "MEDIUM", "HIGH"] as const;
export const SUBTASK_TYPES = ["CODE", "CONFIG", "INFRA", "DOCS"] as const;
export type SubtaskType = (typeof SUBTASK_TYPES)[number];

const Ambiguity = z.strictObject({
  ambiguity: Said,
  ambiguity_type: z.enum(AMBIGUITY_TYPES),
  /** Empty as long as nobody has decided it. */
  resolution: Line,
  assumption_risk: z.enum(RISKS),
});

const subtaskFields = {
  id: SubtaskId,
  name: Said,
  type: z.enum(SUBTASK_TYPES),
  instruction: Said,
  depends_on: z.array(SubtaskId).max(LIST_MAX),
  /** Which keys of which upstream output it is given; nothing else. */
  context_required: recordOf(SubtaskId, Lines),
  output_schema: recordOf(z.string().min(1).max(256), Said),
  verification_functions: z.strictObject({
    python_assertions: Lines,
    natural_language_checks: Lines,
  }),
  edge_cases: z
    .array(
      z.strictObject({
        label: z.enum(["happy_path", "failure_path", "edge_case"]),
        scenario: Said,
      }),
    )
    .max(LIST_MAX),
  kingdom_collision_check: z.strictObject({
    verdict: Said,
    verification_status: z.enum(["VERIFIED", "UNVERIFIED", "PARTIAL"]),
    evidence: Line,
  }),
  /** Debts that are known and left, by name. */
  ghost_nodes: Lines,
};

const StagingPath = z.strictObject({ staging_dir: Said, output_file: Said, sentinel_file: Said });

const BlockingQuestion = z.strictObject({
  id: QuestionId,
  question: Said,
  context: Said,
  default_assumed: Said,
  blocking: SubtaskId,
});
export type BlockingQuestion = z.infer<typeof BlockingQuestion>;

const planFields = {
  verimapped_task: Said,
  original_request: Said,
  interpretation_selected: Said,
  interpretations_rejected: z
    .array(z.strictObject({ interpretation: Said, rejected_because: Said }))
    .max(LIST_MAX),
  ambiguities_resolved: z.array(Ambiguity).max(LIST_MAX),
  scope: z.strictObject({ in: Lines, out: Lines }),
  negative_contract: Said,
  staging_paths: recordOf(SubtaskId, StagingPath),
  /** Whether somebody has to put several outputs together. */
  deacon_required: z.boolean(),
  assembly_order: z.array(SubtaskId).max(LIST_MAX),
  cove_critique_summary: Line,
  confidence_deductions: z
    .array(z.strictObject({ reason: Said, amount: z.number().min(-1).max(0) }))
    .max(LIST_MAX),
  confidence_score: z.number().min(0).max(1),
  handoff_ready: z.boolean(),
  blocking_questions: z.array(BlockingQuestion).max(LIST_MAX),
  witness_debrief: Line,
};

/** A subtask in the form that planners of the source documents write: nothing optional, nothing added. */
export const VerimapSubtask = z.strictObject(subtaskFields);
export type VerimapSubtask = z.infer<typeof VerimapSubtask>;

/** A plan in that form. */
export const Verimap = z.strictObject({
  ...planFields,
  subtasks: z.array(VerimapSubtask).min(1).max(LIST_MAX),
});
export type Verimap = z.infer<typeof Verimap>;

/** A subtask of our own plan files: the same, and the checks in a form that needs no reading. */
export const PlanSubtask = z.strictObject({
  ...subtaskFields,
  /** For CODE: the test that is red before the work. */
  test: NamedTest.optional(),
  proofs: z.array(WorkProof).max(PROOFS_MAX),
  /** The files that it may change, or folders with a slash at the end; no file has two owners. */
  files: z.array(ProjectPath).max(LIST_MAX).optional(),
});
export type PlanSubtask = z.infer<typeof PlanSubtask>;

/** Our own plan file, which the other form is lowered into. */
export const Plan = z.strictObject({
  ...planFields,
  subtasks: z.array(PlanSubtask).min(1).max(LIST_MAX),
});
export type Plan = z.infer<typeof Plan>;

/** What the gate writes about a plan on its task's board, ready or not; the names are the source document's. */
export const Handover = z.strictObject({
  phase: z.enum(["WITNESS_COMPLETE", "WITNESS_BLOCKED"]),
  handoff_ready: z.boolean(),
  /** Whoever leads writes no content as long as this holds. */
  content_locked: z.boolean(),
  polecat_count: z.int().min(0).max(LIST_MAX),
  deacon_required: z.boolean(),
  agents_outstanding: z.array(SubtaskId).max(LIST_MAX),
  /** When work was handed out; null before that, and as long as it is, nothing unlocks. */
  dispatch_time: z.iso.datetime({ precision: 3 }).nullable(),
  unlock_condition: Said,
});
export type Handover = z.infer<typeof Handover>;
