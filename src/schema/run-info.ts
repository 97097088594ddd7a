import * as z from "zod";
import { Name } from "./id.ts";

/** `YYYYMMDD-HHMMSSffff-PID`, and a number behind it where that was taken. */
export const RunId = z.string().regex(/^\d{8}-\d{10}-\d{1,10}(-\d{1,6})?$/, "expected a run's id");

/** How a run stands. Exit codes alone cannot tell a cancelled run from a failed one. */
export const RUN_STATUSES = ["running", "completed", "failed", "cancelled"] as const;

/** Who wrote `output.md`: a text that the runner put together is no delivery. */
export const OUTPUT_ORIGINS = ["agent", "runner"] as const;

/** Roles that a run can have beside doing the work. */
export const RunRole = z.enum(["critic", "auditor"]);
export type RunRole = z.infer<typeof RunRole>;

const Text = z.string().max(100_000);
const Path = z.string().min(1).max(4_096);
const Time = z.iso.datetime({ precision: 3 });

/**
 * `run-info.yaml`, version 1. A rendering for people and other tools; the record is the trace.
 * Readers leave alone what they do not know, and refuse another version.
 */
export const RunInfo = z.object({
  version: z.literal(1),
  run_id: RunId,
  project_id: Text,
  task_id: Name,
  parent_run_id: RunId.nullable(),
  previous_run_id: RunId.nullable(),
  /** How many runs are above this one. */
  depth: z.int().min(0).max(16),
  agent: Name,
  /** What it judges the work of others as; absent for whoever does the work. */
  role: RunRole.optional(),
  pid: z.int().min(0),
  pgid: z.int().min(0),
  start_time: Time,
  end_time: Time.nullable(),
  /** -1 while it runs, and when no program of its own gave one. */
  exit_code: z.int().min(-1).max(255),
  status: z.enum(RUN_STATUSES),
  cwd: Path,
  prompt_path: Path,
  output_path: Path,
  output_origin: z.enum(OUTPUT_ORIGINS).nullable(),
  stdout_path: Path,
  stderr_path: Path,
  process_ownership: z.enum(["managed", "external"]),
  commandline: z.array(Text).max(1_000).optional(),
  agent_version: Text.optional(),
  backend_provider: Text.optional(),
  backend_model: Text.optional(),
  backend_endpoint: Text.optional(),
  error_summary: Text.optional(),
  /** What it said that could be checked, and what was found. */
  said: z
    .array(z.object({ text: Text, verdict: Text, reason: Text }))
    .max(100)
    .optional(),
  /** The runtime that it belongs to: which process, of which boot. */
  runner: Text.optional(),
  /** The record that this was rendered from. */
  trace: Text.optional(),
  /** The commit that it began with, and the reference that holds what it left. */
  base: Text.optional(),
  ref: Text.optional(),
});
export type RunInfo = z.infer<typeof RunInfo>;
