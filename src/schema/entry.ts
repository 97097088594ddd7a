import * as z from "zod";
import { BODIES, type Body, EVENT_TYPES, type EventType } from "./body.ts";
import { Digest, KeyId, LIST_ITEMS_MAX, Name, Text, TraceId } from "./id.ts";
import { ARTIFACT_BYTES_MAX, ENTRY_VERSION } from "./limits.ts";
import { Role } from "./role.ts";

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
    "reply",
    "blocks",
    "supersedes",
    "relates_to",
    "depends_on",
    "child_of",
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
  fence: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
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

type Shape<T extends EventType> = ReturnType<typeof entryOf<T>>;
const shapes = new Map<EventType, Shape<EventType>>();

/** The shape of one type, made when the type is first met: a command rarely meets them all. */
function shapeOf(type: EventType): Shape<EventType> {
  const known = shapes.get(type);
  if (known) return known;
  const shape = entryOf(type) as Shape<EventType>;
  shapes.set(type, shape);
  return shape;
}

/** A line of the ledger. */
export const Entry = z.lazy(() => {
  const [first, ...rest] = EVENT_TYPES.map(shapeOf);
  return z.discriminatedUnion("type", [first as Shape<EventType>, ...rest]);
});

/** Judges the body with the envelope in a single pass, by the shape of the type it names. */
export function parseEntry(value: unknown): z.ZodSafeParseResult<Entry> {
  const type =
    typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  const known = EVENT_TYPES.find((name) => name === type);
  // Without a known type the union says what was expected.
  const shape = known === undefined ? Entry : shapeOf(known);
  return shape.safeParse(value) as z.ZodSafeParseResult<Entry>;
}

/** A line of the ledger, with its body known by its type. */
export type Entry<T extends EventType = EventType> = {
  [K in T]: Omit<z.infer<ReturnType<typeof entryOf<K>>>, "type" | "body"> & {
    type: K;
    body: Body<K>;
  };
}[T];
