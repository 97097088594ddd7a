import * as z from "zod";
import { JudgedItem } from "./completion.ts";
import { Profile, Role } from "./role.ts";
import { Mitigation, Vote } from "./vote.ts";
import { WorkReport } from "./work.ts";

const LIST_MAX = 1_000;
const Line = z.string().max(100_000);
const Lines = z.array(Line).max(LIST_MAX);

/** Where something was handed over. */
export const SessionDelivery = z.strictObject({
  sink: z.string(),
  status: z.enum(["planned", "sent", "present"]),
  where: Line,
  /** The record of the delivery; null where it was only rehearsed. */
  trace: z.string().nullable(),
  packet: z.string().nullable(),
  packet_sha256: z.string().nullable(),
});
export type SessionDelivery = z.infer<typeof SessionDelivery>;

/** A whole task, for people and programs; the record is the trace. */
export const SessionReport = z.strictObject({
  version: z.literal(1),
  session: z.string(),
  trace: z.string(),
  asked: Line,
  profile: Profile,
  /** Where the record's own rules see it. */
  state: z.string(),
  status: z.enum(["delivered", "rehearsed", "waits", "open", "failed", "aborted"]),
  /** Why it failed, or what it waits for. */
  reasons: Lines,
  start: z.string(),
  /** How often it was sent back to work. */
  rounds: z.int().min(0).max(10),
  /** Who sat where; `by` is null where checks that are built in did. */
  seats: z.array(
    z.strictObject({
      agent: z.string(),
      role: Role,
      by: z.string().nullable(),
      key: z.string().nullable(),
      family: z.string().nullable(),
    }),
  ),
  /** Where those who judged are not as far from those who made it as they could be. */
  shared: Lines,
  /** Who led: the holder of the last lease, and its number. */
  leader: z.strictObject({ holder: z.string(), number: z.int().min(1) }).nullable(),
  planning: z.strictObject({ trace: z.string().nullable(), agent: z.string() }).nullable(),
  proposals: z.array(
    z.strictObject({
      id: z.string(),
      /** The plan that it belongs to, from 1. */
      plan: z.int().min(1),
      /** What the critic said of it; "proposed" where it said nothing. */
      status: z.enum(["proposed", "approved", "conditional", "rejected"]),
      /** Whether another plan took the place of its own. */
      is_superseded: z.boolean(),
      rationale: Line,
      conditions: Lines,
    }),
  ),
  works: z.array(
    z.strictObject({
      round: z.int().min(0),
      work: z.string(),
      trace: z.string(),
      status: WorkReport.shape.status.nullable(),
      commit: z.string().nullable(),
      branch: z.string().nullable(),
    }),
  ),
  claims: z.array(z.strictObject({ id: z.string(), text: Line, status: z.string() })),
  challenges: z.array(z.strictObject({ claim: z.string(), reason: Line, is_open: z.boolean() })),
  audits: z.array(
    z.strictObject({
      round: z.int().min(0),
      verdict: z.enum(["pass", "fail"]),
      by: Line,
      reasons: Lines,
    }),
  ),
  done: z.array(JudgedItem),
  votes: z.array(
    z.strictObject({
      agent: z.string(),
      role: Role,
      vote: Vote,
      rationale: Line,
      check: z.string().nullable(),
      /** What is done about a doubt, by whom and until when. */
      mitigations: z.array(Mitigation),
    }),
  ),
  /** What was decided in it, by whom. */
  decisions: z.array(
    z.strictObject({ id: z.string(), by: z.string(), context: Line, choice: Line }),
  ),
  /** How it was agreed: by votes, or by the runtime's own gates. */
  agreed: z.enum(["votes", "gates", "no"]),
  proven: Lines,
  unproven: Lines,
  /** The tests that its last work weakened; absent where it weakened none. */
  weakened: Lines.min(1).optional(),
  delivery: SessionDelivery.nullable(),
  /** What to type in order not to have to believe this. */
  verify: Lines,
});
export type SessionReport = z.infer<typeof SessionReport>;
