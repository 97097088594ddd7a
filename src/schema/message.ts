import * as z from "zod";
import { Digest, Name, Text, TraceId } from "./id.ts";
import { RUN_DEPTH_MAX } from "./limits.ts";

/** What a message is about. The first row of kinds is the runner's alone, `USER` is a person's. */
export const RUNNER_KINDS = ["START", "STOP", "RUN_START", "RUN_STOP", "RUN_CRASH"] as const;
export const MESSAGE_KINDS = [
  ...RUNNER_KINDS,
  "USER",
  "FACT",
  "QUESTION",
  "ANSWER",
  "ERROR",
  "INFO",
  "WARNING",
  "OBSERVATION",
  "ISSUE",
  "PROGRESS",
  "DECISION",
  "REVIEW",
] as const;
export const MessageKind = z.enum(MESSAGE_KINDS);
export type MessageKind = z.infer<typeof MessageKind>;

/** What a message is to an earlier one. */
export const THREAD_KINDS = [
  "reply",
  "answers",
  "blocks",
  "supersedes",
  "relates_to",
  "depends_on",
  "child_of",
] as const;
export const ThreadKind = z.enum(THREAD_KINDS);
export type ThreadKind = z.infer<typeof ThreadKind>;

/** A message's name on its bus: `MSG-` and its place in the trace. */
export const MessageId = z
  .string()
  .regex(/^MSG-(0|[1-9][0-9]{0,8})$/, 'expected "MSG-" and a number, as "sworn bus read" shows it');

const PARENTS_MAX = 100;
const LINKS_MAX = 20;
const NOTES_MAX = 20;

const MessageLink = z.strictObject({ url: Text.max(2_048), label: Text.max(256), kind: Name });

/** A message on a bus. With a text alone it is an `INFO` that answers nothing. */
export const Message = z.strictObject({
  text: Text,
  kind: MessageKind.optional(),
  parents: z
    .array(z.strictObject({ id: MessageId, kind: ThreadKind }))
    .min(1)
    .max(PARENTS_MAX)
    .optional(),
  /** The name that another system has for what this is about. */
  issue_id: Text.max(128).optional(),
  links: z.array(MessageLink).min(1).max(LINKS_MAX).optional(),
  meta: z
    .record(Name, Text.max(1_024))
    .refine((notes) => Object.keys(notes).length <= NOTES_MAX, `expected at most ${NOTES_MAX}`)
    .meta({ maxProperties: NOTES_MAX })
    .optional(),
  /** The whole text, where it is too long for a message; it comes with the entry. */
  attachment: Digest.optional(),
});

/** A question, with the answer that is assumed without one. */
export const Question = z.strictObject({
  question_id: Name,
  text: Text,
  default: Text,
  blocks: Name.optional(),
  /** Who has to decide: 1 the one who asks, 2 the lead, 3 a person. */
  tier: z.int().min(1).max(3).optional(),
  /** From then on the runtime may take the default. */
  deadline: z.iso.datetime({ precision: 3 }).optional(),
  /** The last beat for an answer: once a later one was opened, the runtime may take the default. */
  due_beat: z.int().min(0).optional(),
  /** Agents that may answer besides planner and operator. */
  to: z.array(Name).min(1).max(20).optional(),
});

/** Something that is held to be so, in one task or in the whole project. */
export const Fact = z.strictObject({
  fact_id: Name,
  scope: z.enum(["task", "project"]),
  title: Text.max(256),
  text: Text,
  run_id: Name.optional(),
  /** Where it was said first: a message of this trace or of another one. */
  promoted_from: z.strictObject({ trace: TraceId, id: MessageId }).optional(),
});

/** A run of an agent begins. */
export const RunStarted = z.strictObject({
  run_id: Name,
  agent: Name,
  parent_run_id: Name.optional(),
  /** The run that this one goes on from. */
  previous_run_id: Name.optional(),
  /** How many runs are above it. */
  depth: z.int().min(0).max(RUN_DEPTH_MAX),
  /** The trace with the record of this run alone. */
  trace: TraceId.optional(),
  /** The commit that its work began with. */
  base: Text.max(128).optional(),
});

/** A run has ended, as the runtime saw it. */
export const RunCompleted = z.strictObject({
  run_id: Name,
  status: z.enum(["completed", "failed", "cancelled", "partial"]),
  exit_code: z.int().min(-255).max(255).optional(),
  /** The git reference that holds its work. */
  ref: Text.max(512).optional(),
  summary: Text.optional(),
});
