import { keyIdOf, messageOf, toPublicKey } from "../base/index.ts";
import type { Role } from "../schema/index.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";

/** The roles that look after everybody's keys. */
const KEEPERS: readonly Role[] = ["operator", "runtime"];

export function checkDecision(
  session: Session,
  { body }: Event<"decision_recorded">,
): Refusal | undefined {
  return uniqueRecord(session, body.decision_id);
}

export function applyDecision(
  { records, decisions }: Session,
  { seq, body, actor }: Event<"decision_recorded">,
): void {
  records.add(body.decision_id);
  decisions.set(body.decision_id, { seq, agent: actor.agent });
}

export function checkException(
  session: Session,
  { body, actor }: Event<"exception_recorded">,
): Refusal | undefined {
  return firstRefusal(
    uniqueRecord(session, body.exception_id),
    // The signer approves; nobody approves an exception for themselves.
    body.requester === actor.agent &&
      refuse("INDEPENDENCE_GUARD", `${actor.agent} asked for this exception`),
    !session.agents.has(body.requester) &&
      refuse("ORDER_GUARD", `there is no agent ${body.requester}`),
  );
}

function uniqueRecord(session: Session, id: string): Refusal | undefined {
  return session.records.has(id) ? refuse("IDENTITY_GUARD", `${id} exists already`) : undefined;
}

export function checkRotation(
  session: Session,
  { body, actor }: Event<"key_rotated">,
): Refusal | undefined {
  const agent = session.agents.get(body.agent);
  return firstRefusal(
    mayManageKeyOf(body.agent, actor),
    agent === undefined && refuse("ORDER_GUARD", `there is no agent ${body.agent}`),
    session.keys.get(body.old_key)?.agent !== body.agent &&
      refuse("KEY_GUARD", `${body.old_key} is not a key of ${body.agent}`),
    agent?.key !== undefined &&
      agent.key !== body.old_key &&
      refuse("KEY_GUARD", `${body.agent} uses ${agent.key} now`),
    session.keys.has(body.new_key) &&
      refuse("KEY_GUARD", `key ${body.new_key} is already known in this trace`),
    keyIdOf(body.public) !== body.new_key &&
      refuse("KEY_GUARD", "the new key's id does not belong to its public key"),
    unusable(body.public),
  );
}

export function applyRotation(session: Session, { body }: Event<"key_rotated">): void {
  const agent = session.agents.get(body.agent);
  const old = session.keys.get(body.old_key);
  if (agent) agent.key = body.new_key;
  if (old?.status === "active") old.status = "rotated";
  session.keys.set(body.new_key, { agent: body.agent, public: body.public, status: "active" });
}

export function checkRevocation(
  session: Session,
  { body, actor, seq }: Event<"key_revoked">,
): Refusal | undefined {
  const key = session.keys.get(body.key);
  return firstRefusal(
    mayManageKeyOf(body.agent, actor),
    // Otherwise an agent could take back all it ever signed by calling its own key stolen.
    body.compromised_from !== undefined &&
      !KEEPERS.includes(actor.role) &&
      refuse("ROLE_GUARD", "only operator and runtime say from where on a key is not believed"),
    key?.agent !== body.agent && refuse("KEY_GUARD", `${body.key} is not a key of ${body.agent}`),
    key?.status === "revoked" && refuse("KEY_GUARD", `key ${body.key} is already revoked`),
    isRuntimeKeyInUse(session, body) &&
      refuse(
        "KEY_GUARD",
        `${body.agent} signs the checkpoint over this very entry with ${body.key}; rotate it first`,
      ),
    (body.compromised_from ?? 0) > seq &&
      refuse("ORDER_GUARD", "a compromise cannot begin after its revocation"),
  );
}

export function applyRevocation(session: Session, { body }: Event<"key_revoked">): void {
  const key = session.keys.get(body.key);
  const agent = session.agents.get(body.agent);
  if (!key) return;
  key.status = "revoked";
  if (body.compromised_from !== undefined) key.compromisedFrom = body.compromised_from;
  if (agent?.key === body.key) agent.key = undefined;
}

function isRuntimeKeyInUse(
  { agents }: Session,
  { agent, key }: Event<"key_revoked">["body"],
): boolean {
  const known = agents.get(agent);
  return known !== undefined && known.key === key && known.roles.includes("runtime");
}

/** Agents look after their own keys; operator and runtime after everybody's, each other's included. */
function mayManageKeyOf(agent: string, actor: Event["actor"]): Refusal | undefined {
  return agent === actor.agent || KEEPERS.includes(actor.role)
    ? undefined
    : refuse("ROLE_GUARD", `${actor.agent} may not change the key of ${agent}`);
}

/** A key that nobody may enrol: anyone could sign for it, or it has a second spelling. */
export function unusable(publicText: string): Refusal | undefined {
  try {
    toPublicKey(publicText);
    return undefined;
  } catch (error) {
    return refuse("KEY_GUARD", messageOf(error));
  }
}
