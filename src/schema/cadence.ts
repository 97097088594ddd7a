import * as z from "zod";
import { Name, Text } from "./id.ts";

const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const EXTRAS_MAX = 20;

/** One runtime leads the trace from here on; the number is in every entry while its lease stands. */
export const LeaseTaken = z.strictObject({
  number: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Which process of the runtime's. */
  holder: Name,
  /** When another may take over; the one that does looks at its own clock. */
  expires_at: z.iso.datetime({ precision: 3 }),
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
