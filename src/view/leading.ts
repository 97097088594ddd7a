import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";

/**
 * While a lease stands, what was written under another one is refused: a runtime that was thought
 * dead and wakes up again must not go on writing.
 */
export function guardFence({ lease }: Session, { type, fence }: Event): Refusal | undefined {
  const wanted = lease?.isStanding && type !== "lease_taken" ? lease.number : undefined;
  if (fence === wanted) return undefined;
  const [expected, found] = [wanted, fence].map((number) => number ?? "none");
  return refuse("ORDER_GUARD", `the lease that stands is ${expected}, the entry names ${found}`);
}

export function checkLease(
  { lease }: Session,
  { body }: Event<"lease_taken">,
): Refusal | undefined {
  const next = (lease?.number ?? 0) + 1;
  return body.number === next
    ? undefined
    : refuse("ORDER_GUARD", `the next lease is number ${next}, not ${body.number}`);
}

export function checkLeaseEnd(
  { lease }: Session,
  { body }: Event<"lease_ended">,
): Refusal | undefined {
  return lease?.isStanding && lease.number === body.number
    ? undefined
    : refuse("ORDER_GUARD", `there is no lease ${body.number} that stands`);
}

export function checkStatus(
  { agents, statuses }: Session,
  { body }: Event<"status_claimed">,
): Refusal | undefined {
  const last = statuses.get(body.agent_id) ?? -1;
  return firstRefusal(
    !agents.has(body.agent_id) && refuse("ORDER_GUARD", `there is no agent ${body.agent_id}`),
    body.beat_index <= last &&
      refuse("ORDER_GUARD", `the status of ${body.agent_id} is known up to beat ${last}`),
  );
}
