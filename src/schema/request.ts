import * as z from "zod";
import { BODIES, EVENT_TYPES, type EventType, Policy } from "./body.ts";
import { KeyId, listOf, Name, Text } from "./id.ts";
import { Profile, Role } from "./role.ts";

/**
 * What somebody asks to have recorded. It is the entry without everything the runtime adds itself:
 * keys, times, links, signatures. Where an entry holds the hash of an artifact, a request may also
 * give the name under which that artifact was recorded.
 */

/** An artifact's bytes, inline or from a file. */
const RequestedArtifact = z.strictObject({
  text: z.string().optional(),
  path: z.string().min(1).max(4_096).optional(),
  name: Name.optional(),
  media_type: z.string().max(128).optional(),
});
export type RequestedArtifact = z.infer<typeof RequestedArtifact>;

const evidence = z.array(Name).min(1).max(1_000);

const REQUEST_BODIES = {
  ...BODIES,
  session_initialized: BODIES.session_initialized.extend({
    profile: Profile.default("solo"),
    policy: Policy.partial().optional(),
    agents: z
      .array(z.strictObject({ agent: Name, roles: z.array(Role).min(1).max(6) }))
      .min(1)
      .max(100),
  }),
  tool_intent_signed: BODIES.tool_intent_signed.extend({ normalized_input_hash: Name }),
  claim_issued: BODIES.claim_issued.extend({ evidence }),
  claim_challenged: BODIES.claim_challenged.extend({ evidence: listOf(Name).optional() }),
  decision_recorded: BODIES.decision_recorded.extend({ evidence: listOf(Name).optional() }),
  /** The runtime verifies for itself and adds the report; a status better than its own finding is refused. */
  verification_run_completed: BODIES.verification_run_completed.pick({
    verification_id: true,
    status: true,
  }),
  agent_enrolled: BODIES.agent_enrolled.pick({ agent: true, roles: true }),
  /** The new key is the one the keyring holds by now. */
  key_rotated: BODIES.key_rotated.pick({ agent: true }),
  key_revoked: BODIES.key_revoked.extend({ key: KeyId.optional() }),
} as const;

function requestOf<T extends EventType>(type: T) {
  return z.strictObject({
    actor: z.strictObject({ agent: Name, role: Role, run: Name.optional() }),
    type: z.literal(type),
    body: REQUEST_BODIES[type],
    artifacts: z.array(RequestedArtifact).max(1_000).optional(),
    idem: Text.max(256).optional(),
    beat: z.int().min(0).optional(),
  });
}

/** One line of a script for `sworn trace record`. Made when first used: most commands record nothing. */
export const EventRequest = z.lazy(() => {
  const [first, ...rest] = EVENT_TYPES.map((type) => requestOf(type));
  return z.discriminatedUnion("type", [first as ReturnType<typeof requestOf>, ...rest]);
});

export type RequestBody<T extends EventType> = z.infer<(typeof REQUEST_BODIES)[T]>;
export type EventRequest<T extends EventType = EventType> = {
  [K in T]: Omit<z.infer<ReturnType<typeof requestOf<K>>>, "type" | "body"> & {
    type: K;
    body: RequestBody<K>;
  };
}[T];
