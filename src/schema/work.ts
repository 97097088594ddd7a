import * as z from "zod";
import { Digest, Name } from "./id.ts";
import { SubtaskId } from "./plan.ts";
import { WorkProof } from "./work-proof.ts";

const LIST_MAX = 1_000;
const Line = z.string().max(100_000);
const Commit = z.string().regex(/^[0-9a-f]{40,64}$/, "expected a commit's id");

/** What says that a subtask is done. Only the runner writes one, after the proofs. */
export const Sentinel = z.strictObject({
  run: z.string().min(1).max(256),
  contract_digest: Digest,
  output_digest: Digest,
});
export type Sentinel = z.infer<typeof Sentinel>;

/** Where the output of a subtask comes from; what the runner made is no delivery. */
const OUTPUT_ORIGINS = ["worker", "extracted", "runner"] as const;

/** What a try of a subtask was told to do, as the record keeps it. */
export const TryOrder = z.strictObject({
  subtask: SubtaskId,
  contract: Digest,
  /** The commit that it begins with: the start, and what its upstreams did. */
  at: Commit,
  staging: z.string().min(1).max(4_096),
  prompt: z.string().max(4_000_000),
});
export type TryOrder = z.infer<typeof TryOrder>;

/** What a try of a subtask left, as the record keeps it. */
export const TryWork = z.strictObject({
  subtask: SubtaskId,
  run: z.string().min(1).max(256),
  status: z.enum(["completed", "failed", "cancelled", "refused"]),
  why: Line.optional(),
  at: Commit,
  /** Its changes without its staging folder, on top of the commit that it began with. */
  commit: Commit,
  changed: z.array(z.string().max(10_000)).max(100_000),
  output: z
    .strictObject({
      origin: z.enum(OUTPUT_ORIGINS),
      path: z.string().min(1).max(4_096),
      digest: Digest,
      text: z.string().max(4_000_000),
    })
    .optional(),
  /** What was noticed beside the proofs, such as a sentinel that a worker wrote. */
  notes: z.array(Line).max(LIST_MAX),
  /** Whether its author can be asked for flaws; a program that answers nothing cannot. */
  is_asked: z.boolean(),
  /** What its own author says is wrong with it; absent when it did not say. */
  flaws: z.array(Line).max(LIST_MAX).optional(),
});
export type TryWork = z.infer<typeof TryWork>;

const Outcome = z.strictObject({
  proof: WorkProof,
  verdict: z.enum(["pass", "fail", "unproven"]),
  reason: Line,
  output: Line,
});

/** What the proofs of a try came to, and what else speaks against it. */
export const TryProofs = z.strictObject({
  outcomes: z.array(Outcome).max(LIST_MAX),
  /** Why it does not count although its proofs may pass: another's file, a weakened test. */
  against: z.array(Line).max(LIST_MAX),
  /** The tests that it weakens where that does not speak against it; absent where it weakens none. */
  weakened: z.array(Line).min(1).max(LIST_MAX).optional(),
});
export type TryProofs = z.infer<typeof TryProofs>;

/** How a subtask stands. */
export const SUBTASK_STATUSES = [
  "waiting",
  "blocked",
  "running",
  "proven",
  "waived",
  "failed",
] as const;
export type SubtaskStatus = (typeof SUBTASK_STATUSES)[number];

const ReportedSubtask = z.strictObject({
  id: SubtaskId,
  name: Line,
  status: z.enum(SUBTASK_STATUSES),
  tries: z.array(
    z.strictObject({
      execution: Name,
      run: z.string().optional(),
      status: z.enum(["running", "proven", "failed"]),
      why: Line.optional(),
      proofs: z.array(Outcome),
      against: z.array(Line),
      weakened: TryProofs.shape.weakened,
      notes: z.array(Line),
      flaws: z.array(Line),
    }),
  ),
  commit: Commit.optional(),
  output: Line.optional(),
  unproven: z.array(Line),
});

/** Who sat in a seat of a work: the name, and one digest of what decides who that is. */
const WorkSeat = z.strictObject({ by: z.string(), settings: Digest });
/** Who did a work and who looked at it; null where built-in checks did, or nobody. */
export const WorkSeats = z.strictObject({
  worker: WorkSeat,
  reviewer: WorkSeat.nullable(),
  judge: WorkSeat.nullable(),
});
export type WorkSeats = z.infer<typeof WorkSeats>;

/** The report of a work, for people and programs; the record is the trace. */
export const WorkReport = z.strictObject({
  version: z.literal(1),
  work: z.string(),
  trace: z.string(),
  contract_digest: Digest,
  task: Line,
  profile: z.string(),
  /** Absent where the work was not done by agents. */
  seats: WorkSeats.optional(),
  status: z.enum(["completed", "completed-with-gaps", "failed", "blocked", "open"]),
  reason: Line.optional(),
  start: Commit,
  branch: z.string().optional(),
  commit: Commit.optional(),
  subtasks: z.array(ReportedSubtask),
  questions: z.array(
    z.strictObject({ id: z.string(), question: Line, blocks: SubtaskId.nullable() }),
  ),
  conflicts: z.array(
    z.strictObject({ subtask: SubtaskId, files: z.array(Line), ours: Line, theirs: Line }),
  ),
  gates: z.array(
    z.strictObject({
      gate: z.enum(["proofs", "self", "reviewer", "mechanical"]),
      verdict: z.enum(["pass", "fail", "unproven"]),
      by: Line,
      reasons: z.array(Line),
    }),
  ),
  /** What nobody has shown: the honest rest. */
  unproven: z.array(Line),
});
export type WorkReport = z.infer<typeof WorkReport>;
export type GateVerdict = WorkReport["gates"][number];
export type ReportedTry = WorkReport["subtasks"][number]["tries"][number];
