import * as z from "zod";
import { BODIES, type Body, EVENT_TYPES, type EventType } from "./body.ts";
import { Digest, KeyId, LIST_ITEMS_MAX, Name, Text, TraceId } from "./id.ts";
import { Role } from "./role.ts";

/** The version of the entry format; a reader that meets another one stops. */
export const ENTRY_VERSION = 1;
/** The `prev` of the first entry. */
export const GENESIS_PREV = "0".repeat(64);
/** Longest line of a ledger in bytes, newline not counted. */
export const LINE_BYTES_MAX = 1_048_576;
/** Largest artifact in bytes. */
export const ARTIFACT_BYTES_MAX = 1_073_741_824;

/** Who acted. `run` names the execution of an agent where there is one. */
export const Actor = z.strictObject({
  agent: Name,
  role: Role,
  key: KeyId,
  run: Name.optional(),
});

/** A link to an earlier entry, and what this one does to it. */
export const Parent = z.strictObject({
  seq: z.int().min(0),
  kind: z.enum([
    "revises",
    "falls-back",
    "reviews",
    "implements",
    "retries",
    "executes",
    "finishes",
    "supports",
    "rests-on",
    "challenges",
    "resolves",
    "consolidates",
    "verifies",
    "reopens",
    "answers",
  ]),
});
export type Parent = z.infer<typeof Parent>;

/** Bytes stored before the entry that cites them, named by their SHA-256. */
export const ArtifactRef = z.strictObject({
  hash: Digest,
  bytes: z.int().min(0).max(ARTIFACT_BYTES_MAX),
  media_type: z
    .string()
    .max(128)
    .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/, 'expected "type/subtype"'),
  name: Name.optional(),
});
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** 64 bytes of Ed25519 signature. */
const Signature = z.string().regex(/^[A-Za-z0-9+/]{86}==$/, "expected 64 bytes in padded base64");

const envelope = {
  v: z.literal(ENTRY_VERSION),
  trace: TraceId,
  seq: z.int().min(0),
  at: z.iso.datetime({ precision: 3 }),
  hlc: z.string().regex(/^[0-9a-f]{16}$/, "expected 16 lower-case hex digits"),
  beat: z.int().min(0).optional(),
  actor: Actor,
  parents: z.array(Parent).max(LIST_ITEMS_MAX),
  artifacts: z.array(ArtifactRef).max(LIST_ITEMS_MAX),
  idem: Text.max(256).optional(),
  prev: Digest,
  sig: Signature,
};

function entryOf<T extends EventType>(type: T) {
  return z.strictObject({ ...envelope, type: z.literal(type), body: BODIES[type] });
}

/** One shape per event type, so that the body is judged with the envelope in a single pass. */
const SHAPES = Object.fromEntries(EVENT_TYPES.map((type) => [type, entryOf(type)])) as {
  [T in EventType]: ReturnType<typeof entryOf<T>>;
};

/** A line of the ledger. */
export const Entry = z.discriminatedUnion(
  "type",
  Object.values(SHAPES) as unknown as [
    (typeof SHAPES)["session_initialized"],
    ...(typeof SHAPES)[EventType][],
  ],
);

/** A line of the ledger, with its body known by its type. */
export type Entry<T extends EventType = EventType> = {
  [K in T]: Omit<z.infer<ReturnType<typeof entryOf<K>>>, "type" | "body"> & {
    type: K;
    body: Body<K>;
  };
}[T];
