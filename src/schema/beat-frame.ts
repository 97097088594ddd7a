import * as z from "zod";
import { BEAT_PHASES, ClusterId, STATUS_STATES, StatusClaimed, WindowId } from "./cadence.ts";

const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const Share = z.number().min(0).max(1);
const EXTRAS_MAX = 50;
const ISSUES_MAX = 100;
const TEMPO_BPM_MAX = 1_000;

/**
 * Logical time as frames spell it: 48 bits of milliseconds in three groups. We write the counter as a
 * fourth group where there is one, and take it with or without.
 */
const WireHlc = z
  .string()
  .regex(/^[0-9a-f]{4}(?::[0-9a-f]{4}){2,3}$/, "expected three or four groups of 4 hex digits");

const Extras = z
  .record(z.string().max(128), z.union([z.string().max(1_024), z.number(), z.boolean()]))
  .refine((extras) => Object.keys(extras).length <= EXTRAS_MAX, `expected at most ${EXTRAS_MAX}`);

/** A beat as another machine's clock sends it, and as we hand ours on. */
export const BeatFrame = z.strictObject({
  type: z.literal("backbeat.beatframe.v1"),
  cluster_id: ClusterId,
  beat_index: Count,
  downbeat: z.boolean(),
  /** Some clocks call the work phase by another name. */
  phase: z
    .enum([...BEAT_PHASES, "execute"])
    .transform((phase) => (phase === "execute" ? ("work" as const) : phase)),
  hlc: WireHlc,
  deadline_at: z.iso.datetime({ offset: true }),
  /** Beats a minute. A beat of 15 minutes has fewer than a tenth, so that there is no least one. */
  tempo_bpm: z.number().positive().max(TEMPO_BPM_MAX),
  window_id: WindowId,
  metadata: Extras.optional(),
});
export type BeatFrame = z.infer<typeof BeatFrame>;

/** What an agent does in one beat, in the form that others read. */
export const StatusClaim = z.strictObject({
  type: z.literal("backbeat.statusclaim.v1"),
  agent_id: z.string().min(1).max(128),
  beat_index: Count,
  state: z.enum(STATUS_STATES),
  hlc: WireHlc,
  task_id: z.string().optional(),
  beats_left: z.int().min(0).max(1_000).optional(),
  progress: Share.optional(),
  notes: z.string().max(256).optional(),
  resources: StatusClaimed.shape.resources,
  dependencies: z.array(z.string()).optional(),
  /** What the form has no field for: window, environment, workspace, run and goals. */
  metadata: z.record(z.string(), z.string()).optional(),
});
export type StatusClaim = z.infer<typeof StatusClaim>;

/** What came of one bar, in the form that others read. */
export const BarReport = z.strictObject({
  type: z.literal("backbeat.barreport.v1"),
  window_id: WindowId,
  from_beat: Count,
  to_beat: Count,
  agents_reporting: Count,
  on_time_reviews: Count,
  help_promises_fulfilled: Count,
  /** Whether every agent has a key in force; nothing here rotates keys by beats. */
  secret_rotations_ok: z.boolean(),
  tempo_drift_ms: Count,
  issues: z
    .array(
      z.strictObject({
        severity: z.enum(["info", "warning", "error"]),
        category: z.string().max(64),
        count: Count,
      }),
    )
    .max(ISSUES_MAX),
});
export type BarReport = z.infer<typeof BarReport>;
