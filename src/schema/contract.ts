import * as z from "zod";

const FileName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^/\\\0]+$/, "expected a file name without folders")
  .refine((name) => name !== "." && name !== "..", "expected a file name");
const AgentName = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z0-9_-]+$/, "expected letters, digits, dash or underscore");
const Line = z.string().min(1).max(500);

/** How often a check may fail in a row before it is left out for a while. */
export const Circuit = z.strictObject({
  failure_threshold: z.int().min(1).max(100),
  recovery_seconds: z.int().min(0).max(86_400),
});
export type Circuit = z.infer<typeof Circuit>;

/** One agent that owes a file. */
export const Teammate = z.strictObject({
  name: AgentName,
  output_file: FileName,
  required_sections: z.array(Line).max(50),
  role: z.string().max(500).optional(),
  perspectives: z.array(Line).max(50).optional(),
  /** Globs of the files this one looks at. */
  file_scope: z.array(z.string().min(1).max(1_000)).max(10_000).optional(),
});
export type Teammate = z.infer<typeof Teammate>;

export const Verification = z.strictObject({
  enabled: z.boolean(),
  layer_0_circuit: Circuit.optional(),
  layer_2_circuit: Circuit.optional(),
  max_reverify_agents: z.int().min(0).max(100).optional(),
});

export const ContextEngineering = z.strictObject({
  read_ordering: z.enum(["source_first", "reference_first"]).optional(),
  instruction_anchoring: z.boolean().optional(),
  reanchor_interval: z.int().min(1).max(1_000).optional(),
  /** Role to the most files an agent in it may read. */
  context_budget: z.record(z.string().max(100), z.int().min(1).max(100_000)).optional(),
});

/**
 * `inscription.json`: what a team of agents owes, written before any of them starts. Files of other
 * tools lack the timestamp or carry more than we know; the reader is told which.
 */
export const Contract = z.strictObject({
  workflow: z
    .string()
    .max(100)
    .regex(/^rune-[a-z0-9-]+$/, 'expected "rune-" and a name'),
  timestamp: z.iso.datetime({ offset: true }).optional(),
  output_dir: z.string().min(1).max(4_096),
  pr_number: z.int().min(1).optional(),
  branch: z.string().max(500).optional(),
  /** Only findings and Seals that carry it come from this run. */
  nonce: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  teammates: z.array(Teammate).min(1).max(100),
  aggregator: z.strictObject({ name: AgentName, output_file: FileName }).optional(),
  verification: Verification.optional(),
  context_engineering: ContextEngineering.optional(),
});
export type Contract = z.infer<typeof Contract>;

/** What an agent says at the very end of its file. It can only lower trust: all counts are made anew. */
export const Seal = z.strictObject({
  findings: z.int().min(0).max(1_000_000),
  evidence_verified: z.boolean(),
  /** In points; written as 0 to 1. */
  confidence: z.int().min(0).max(100),
  self_reviewed: z.boolean(),
  self_review_actions: z.string().max(200).optional(),
  clarifications_flagged: z.int().min(0).max(1_000_000).optional(),
  nonce: z.string().max(100).optional(),
});
export type Seal = z.infer<typeof Seal>;

/** One row of an agent's own log of looking at its findings again. */
export const SelfReviewRow = z.strictObject({
  finding: z.string().max(500),
  action: z.enum(["confirmed", "revised", "deleted"]),
  notes: z.string().max(2_000),
});
export type SelfReviewRow = z.infer<typeof SelfReviewRow>;

/** The file of a running workflow; all states but `active` are final. */
export const WorkflowState = z.strictObject({
  status: z.enum(["active", "completed", "completed_with_gaps", "failed", "cancelled"]),
  started: z.iso.datetime({ offset: true }),
  expected_files: z.array(FileName).max(100),
  gaps: z.array(z.string().max(1_000)).max(10_000),
});
export type WorkflowState = z.infer<typeof WorkflowState>;
