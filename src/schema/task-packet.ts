import * as z from "zod";
import { Digest, TraceId } from "./id.ts";

const MEMBERS_MAX = 64;
const VOTES_MAX = 10_000;
const Words = z.string().max(100_000);

/** The first member of every packet, and those that vouch for it; none of them can list itself. */
export const PACKET_MEMBER = "packet.json";
export const SIGNATURE_MEMBER = "packet.json.minisig";
export const NOTE_MEMBER = "packet.note";
/** The members that a task's packet always has, and what they are, in their order. */
export const TASK_MEMBERS = {
  "PACKET.md": "for people",
  "minisign.pub": "the key of the signature, as minisign reads it",
  "plan.json": "the plan, whose digest is the contract",
  "report.json": "what came of each subtask, and what nobody has shown",
  "proofs.json": "every check that the runtime made, with what it printed",
  "decisions.json": "the decisions on record, word for word",
  "votes.json": "what was proposed, and every vote on it, word for word",
  "verification.json": "what the offline verifier says of the record",
  "change.diff": "the change, from the first commit to the last",
  "change.patch": "the same as one commit, as git am takes it",
  "statements/test-result.json": "an in-toto statement in a DSSE envelope",
  "statements/provenance.json": "an in-toto statement in a DSSE envelope",
  "statements/verification-summary.json": "an in-toto statement in a DSSE envelope",
} as const;
/** Members that are there when there is something to put into them. */
export const OPTIONAL_MEMBERS = ["sbom.spdx.json", "record.tar", "review.tar"] as const;

const Member = z.strictObject({
  name: z
    .string()
    .max(100)
    .regex(/^[A-Za-z][\w.-]*(?:\/[A-Za-z][\w.-]*)?$/, "expected a plain name of a member"),
  bytes: z
    .int()
    .min(0)
    .max(8 * 2 ** 30),
  sha256: Digest,
});

/** Who agreed, and with what; null where the profile asks nobody. */
const Agreement = z.strictObject({
  trace: TraceId,
  completion_id: z.string().min(1).max(256),
  /** The digest of what was voted on. */
  digest: Digest,
  phase: z.string().max(32),
  green: z.int().min(0),
  yellow: z.int().min(0),
  red: z.int().min(0),
  reviewers: z
    .array(z.strictObject({ agent: Words, role: Words, vote: z.enum(["green", "yellow", "red"]) }))
    .max(VOTES_MAX),
});

/**
 * `packet.json` of a task: what is delivered, who agreed, and the digest of everything beside it. The
 * same work gives the same bytes, so that its digest tells one delivery from another.
 */
export const TaskPacket = z.strictObject({
  v: z.literal(1),
  /** A work with checks of the runtime's own, or any session that ended well. */
  kind: z.enum(["task", "session"]),
  /** The address of what is delivered, in a form that can never mean something else. */
  artifact: z.string().min(1).max(4_096),
  work: z.string().regex(/^[0-9a-z]{26}$/, "expected the id of a work"),
  trace: TraceId,
  /** When the record ends; a packet has no other time. */
  recorded_at: z.iso.datetime({ precision: 3 }),
  profile: z.string().max(32),
  status: z.enum(["completed", "completed-with-gaps"]),
  contract_digest: Digest,
  start: z.string().regex(/^[0-9a-f]{40,64}$/),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  /** The tree of the commit: what the change must come to on top of `start`. */
  tree: z.string().regex(/^[0-9a-f]{40,64}$/),
  consensus: Agreement.nullable(),
  /** The verifier key of the runtime whose record this is; whether to believe it is the reader's to decide. */
  signer: z.string().max(1_000),
  minisign: z.string().regex(/^RW[A-Za-z0-9+/]{54}$/, "expected a minisign public key"),
  members: z.array(Member).max(MEMBERS_MAX),
});
export type TaskPacket = z.infer<typeof TaskPacket>;
export type Agreement = z.infer<typeof Agreement>;
