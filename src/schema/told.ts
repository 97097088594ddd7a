import * as z from "zod";
import { Digest, Name, TraceId } from "./id.ts";
import { MESSAGE_KINDS, Message, MessageId } from "./message.ts";

/** What an agent or a client is told of the records, as parts of the answers to its verbs. */

export const Id = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "expected an id");
export const Scope = z.enum(["task", "project"]);
export const Count = z.int().min(0);
const Moment = z.iso.datetime({ precision: 3 });

/** A message as it is read. */
export const ReadMessage = z.strictObject({
  id: MessageId,
  at: Moment,
  agent: Name,
  role: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  text: z.string(),
  run: z.string().optional(),
  parents: z.array(z.strictObject({ id: MessageId, kind: z.string() })),
  issue_id: z.string().optional(),
  links: Message.shape.links,
  meta: Message.shape.meta,
  /** Set where the text goes on: the hash of all of it. */
  attachment: Digest.optional(),
  /** The question, fact, run or decision that it is about. */
  about: z.string().optional(),
});

export const Fact = z.strictObject({
  id: Id,
  scope: Scope,
  title: z.string(),
  text: z.string(),
  at: Moment,
  agent: Name,
});

/** What an agent holds to be so, and nobody has decided about. */
export const Suggestion = z.strictObject({
  id: MessageId,
  agent: Name,
  at: Moment,
  title: z.string(),
});

/** Where a task stands. */
export const State = z.strictObject({
  task: Name.nullable(),
  trace: TraceId,
  state: z.string(),
  entries: Count,
  last_entry_at: Moment.nullable(),
  runs: z.strictObject({
    total: Count,
    running: z.array(z.string()),
    /** The last of those that are over. */
    ended: z.array(z.string()),
  }),
  open_questions: z.array(
    z.strictObject({ question_id: z.string(), text: z.string(), to: z.array(Name) }),
  ),
  note: z.strictObject({ text: z.string(), by: Name, at: Moment }).nullable(),
});

export const Judged = z.strictObject({
  id: z.string(),
  title: z.string(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  verdict: z.string(),
  reason: z.string(),
  found: z.strictObject({ file: z.string(), line: z.int() }).optional(),
});
