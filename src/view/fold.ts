import { keyIdOf } from "../base/index.ts";
import type { EventType, Parent } from "../schema/index.ts";
import { guardFence } from "./leading.ts";
import { PROTOCOL, type Row } from "./protocol.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";
import { SPOKEN_TYPES } from "./talking.ts";
import { unusable } from "./upkeep.ts";

/**
 * Whether an event may follow this session: role guard, key guard, state guard, then what its row
 * of the protocol requires. Asking changes nothing.
 */
export function judge(session: Session, event: Event): Refusal | undefined {
  const row = rowOf(event.type);
  return firstRefusal(
    guardIdem(session, event),
    () =>
      event.type === "session_initialized" ? guardEnrolment(event) : guardActor(session, event),
    !row.by.includes(event.actor.role) &&
      refuse(
        "ROLE_GUARD",
        `${event.type} is for ${row.by.join(" or ")}, not for ${event.actor.role}`,
      ),
    !row.in.includes(session.state) &&
      refuse(
        "STATE_GUARD",
        `${event.type} is not possible while ${session.state} (only ${row.in.join(", ")})`,
      ),
    guardFence(session, event),
    () => row.requires?.(session, event),
  );
}

/** The earlier entries an event is about, computed before it is applied. */
export function linksOf(session: Session, event: Event): Parent[] {
  return rowOf(event.type).links?.(session, event) ?? [];
}

/** Takes an event into the session. In place, because a million copies of a map help nobody. */
export function apply(session: Session, event: Event): void {
  const row = rowOf(event.type);
  recordArtifacts(session, event);
  if (event.idem !== undefined)
    session.idems.set(event.idem, { seq: event.seq, type: event.type, agent: event.actor.agent });
  row.remembers?.(session, event);
  if (SPOKEN_TYPES.has(event.type)) session.messages.add(event.seq);
  if (row.to !== undefined)
    session.state = typeof row.to === "string" ? row.to : row.to(session, event);
  session.size = event.seq + 1;
}

/** The event types that the table lets somebody emit now; further requirements may still refuse them. */
export function possibleNext(session: Session): EventType[] {
  return (Object.keys(PROTOCOL) as EventType[]).filter((type) =>
    rowOf(type).in.includes(session.state),
  );
}

/** The one place where a row forgets which type it belongs to; the table itself is fully typed. */
function rowOf(type: EventType): Row<EventType> {
  return PROTOCOL[type] as unknown as Row<EventType>;
}

function guardIdem(session: Session, { idem }: Event): Refusal | undefined {
  const earlier = idem === undefined ? undefined : session.idems.get(idem);
  return earlier === undefined
    ? undefined
    : refuse(
        "IDENTITY_GUARD",
        `entry ${earlier.seq} already carries the idempotency key "${idem}"`,
      );
}

function guardEnrolment({ body }: Event<"session_initialized">): Refusal | undefined {
  return firstRefusal(
    ...body.agents.map(
      ({ public: publicText }) =>
        () =>
          unusable(publicText),
    ),
    ...body.agents.map(
      ({ agent, key, public: publicText }) =>
        () =>
          keyIdOf(publicText) !== key &&
          refuse("KEY_GUARD", `the key id of ${agent} does not belong to its public key`),
    ),
  );
}

function guardActor(session: Session, { actor, type }: Event): Refusal | undefined {
  if (session.state === "initialized") {
    return refuse("STATE_GUARD", `${type} is not possible before session_initialized`);
  }
  const agent = session.agents.get(actor.agent);
  if (!agent) return refuse("ROLE_GUARD", `${actor.agent} is not registered in this session`);
  const key = session.keys.get(actor.key);
  return firstRefusal(
    !agent.roles.includes(actor.role) &&
      refuse("ROLE_GUARD", `${actor.agent} is not registered as ${actor.role}`),
    agent.key === undefined &&
      refuse("KEY_GUARD", `${actor.agent} has no active key: it was revoked`),
    key?.agent !== actor.agent &&
      refuse("KEY_GUARD", `${actor.key} is not a key of ${actor.agent}`),
    key?.status !== "active" &&
      refuse("KEY_GUARD", `the key ${actor.key} of ${actor.agent} is ${key?.status}`),
  );
}

function recordArtifacts(session: Session, { seq, artifacts }: Event): void {
  for (const { hash, name } of artifacts) {
    if (name !== undefined) session.artifactNames.set(name, hash);
    if (!session.artifacts.has(hash)) session.artifacts.set(hash, { seq });
  }
}
