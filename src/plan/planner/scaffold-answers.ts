import * as z from "zod";
import { SubtaskId } from "../../schema/plan.ts";
import { NamedTest, ProjectPath } from "../../schema/work-proof.ts";

const Line = z
  .string()
  .max(10_000)
  .refine((text) => text.isWellFormed(), "expected well-formed Unicode");
const Said = Line.trim().min(1, "expected some text");
const Lines = z.array(Said).max(100);

const common = {
  name: Said,
  instruction: Said,
  depends_on: z.array(SubtaskId).max(100).default([]),
  /** Which keys of which upstream result it is given. */
  needs: z.record(SubtaskId, Lines).default({}),
  /** What its result says, key by key. */
  result: z.record(z.string().min(1).max(256), Said).optional(),
  assertions: Lines.default([]),
  /** What is to be seen, as GIVEN … WHEN … THEN …. */
  checks: Lines.min(1),
  /** Which existing system does something like it, and the file or fact that shows it. */
  existing: z.strictObject({ verdict: Said, evidence: Said }).optional(),
  /** The files that it may change. */
  files: z.array(ProjectPath).max(1_000).optional(),
};

/** One subtask as its author describes it, with what shows that it is done. */
export const ScaffoldSubtask = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("CODE"), ...common, test: NamedTest }),
  z.strictObject({
    type: z.literal("CONFIG"),
    ...common,
    file: ProjectPath,
    /** Where in the file, as RFC 6901 writes it. */
    field: z.string().max(1_000),
    value: z.json(),
  }),
  z.strictObject({
    type: z.literal("INFRA"),
    ...common,
    start: z.array(z.string().max(10_000)).min(1).max(100),
    port: z.int().min(1).max(65_535),
    path: z.string().max(2_000).regex(/^\//, 'expected a leading "/"'),
    status: z.int().min(100).max(599),
  }),
  z.strictObject({ type: z.literal("DOCS"), ...common, file: ProjectPath, sections: Lines.min(1) }),
]);
export type ScaffoldSubtask = z.infer<typeof ScaffoldSubtask>;

/** The answers to the surface scan, and the subtasks; what is left empty is asked in the plan. */
export const ScaffoldAnswers = z.strictObject({
  /** What is wanted, where the command line does not say it. */
  request: Said.optional(),
  scope: z.strictObject({ in: Lines, out: Lines }),
  constraints: Line.default(""),
  integration: Line.default(""),
  edge_cases: z
    .strictObject({
      invalid: Line.default(""),
      empty: Line.default(""),
      maximum: Line.default(""),
      concurrent: Line.default(""),
      timeout: Line.default(""),
    })
    .prefault({}),
  success: Line.default(""),
  /** What the work must never do, and why. */
  never: Said,
  subtasks: z.array(ScaffoldSubtask).min(1).max(100),
});
export type ScaffoldAnswers = z.infer<typeof ScaffoldAnswers>;
