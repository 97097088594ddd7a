import * as z from "zod";
import { Name, Text } from "./id.ts";

const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const EXTRAS_MAX = 20;

/** What a beat is for. */
export const BEAT_PHASES = ["plan", "work", "review", "deliver"] as const;
export const BeatPhase = z.enum(BEAT_PHASES);
export type BeatPhase = z.infer<typeof BeatPhase>;

/** Whose clock counts the beats of a trace. */
export const ClusterId = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, "expected 1 to 64 letters, digits, dashes or underscores");
/** The bar that a beat is in. */
export const WindowId = z.string().regex(/^[0-9a-f]{32}$/, "expected 32 lower-case hex digits");

/** So long a beat lasts at least and at most, in milliseconds. */
const BEAT_MS_MIN = 10;
const BEAT_MS_MAX = 86_400_000;
export const BeatMs = z.int().min(BEAT_MS_MIN).max(BEAT_MS_MAX);

/** A beat begins. Deadlines that are given in beats are judged by these entries, and by no clock. */
export const BeatOpened = z.strictObject({
  beat_index: Count,
  phase: BeatPhase,
  cluster_id: ClusterId,
  window_id: WindowId,
  /** Whether it is the first of its bar. */
  downbeat: z.boolean(),
  /** How long beats last for now. */
  beat_ms: BeatMs,
  /** When the next one is to be opened. */
  deadline_at: z.iso.datetime({ precision: 3 }),
});
export type BeatOpened = z.infer<typeof BeatOpened>;

/** One runtime leads the trace from here on; the number is in every entry while its lease stands. */
export const LeaseTaken = z.strictObject({
  number: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Which process of the runtime's. */
  holder: Name,
  /** The last beat that it counts for; once a later one was opened, another may take the next lease. */
  until_beat: Count,
});

export const LeaseEnded = z.strictObject({ number: LeaseTaken.shape.number });

export const STATUS_STATES = [
  "idle",
  "planning",
  "executing",
  "reviewing",
  "completed",
  "failed",
  "blocked",
  "helping",
] as const;

/** What an agent does in one beat, as the runtime sees it; only the notes are the agent's. */
export const StatusClaimed = z.strictObject({
  agent_id: Name,
  beat_index: Count,
  state: z.enum(STATUS_STATES),
  task_id: Name.optional(),
  beats_left: z.int().min(0).max(1_000).optional(),
  /** In percent. */
  progress: z.int().min(0).max(100).optional(),
  notes: Text.max(256).optional(),
  resources: z
    .strictObject({
      cpu_percent: Count.optional(),
      memory_mb: Count.optional(),
      disk_io_ops: Count.optional(),
      network_kb: Count.optional(),
    })
    .optional(),
  dependencies: z.array(Text.max(256)).max(100).optional(),
  /** What the shape has no field for: the window, the environment's digest, the workspace's hash. */
  metadata: z
    .record(Name, Text.max(1_024))
    .refine((extras) => Object.keys(extras).length <= EXTRAS_MAX, `expected at most ${EXTRAS_MAX}`)
    .meta({ maxProperties: EXTRAS_MAX })
    .optional(),
});
