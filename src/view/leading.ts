import { isRunOut } from "./cadence.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";

/** So far ahead of the last beat the next one may be: one wrong number must not end all counting. */
const BEATS_AHEAD_MAX = 100_000;
/** So many beats a lease may count for: whoever leads says again and again that it still does. */
const LEASE_BEATS_MAX = 96;

/**
 * While a lease stands, what was written under another one is refused: a runtime that was thought
 * dead and wakes up again must not go on writing.
 */
export function guardFence({ cadence }: Session, { type, fence }: Event): Refusal | undefined {
  const { lease } = cadence;
  const wanted = lease?.isStanding && type !== "lease_taken" ? lease.number : undefined;
  if (fence === wanted) return undefined;
  const [expected, found] = [wanted, fence].map((number) => number ?? "none");
  return refuse("ORDER_GUARD", `the lease that stands is ${expected}, the entry names ${found}`);
}

/** A trace has one clock, and it does not go back. */
export function checkBeat(
  { cadence: { beat } }: Session,
  { body }: Event<"beat_opened">,
): Refusal | undefined {
  if (beat === undefined) return undefined;
  const { beat_index: last, cluster_id: cluster } = beat;
  return firstRefusal(
    body.cluster_id !== cluster &&
      refuse("ORDER_GUARD", `the beats here are those of ${cluster}, not of ${body.cluster_id}`),
    body.beat_index <= last &&
      refuse("ORDER_GUARD", `beat ${last} is open already, and beats do not go back`),
    body.beat_index > last + BEATS_AHEAD_MAX &&
      refuse(
        "LIMIT_GUARD",
        `the next beat is at most ${last + BEATS_AHEAD_MAX}, not ${body.beat_index}`,
      ),
  );
}

export function applyBeat({ cadence }: Session, { body }: Event<"beat_opened">): void {
  cadence.beat = body;
}

/**
 * Whoever leads takes the next lease whenever it likes. Another one waits until the lease that
 * stands was ended or has run out, by the beats of this record: no clock of anybody's decides.
 */
export function checkLease(
  { cadence }: Session,
  { body }: Event<"lease_taken">,
): Refusal | undefined {
  const { lease, beat } = cadence;
  const next = (lease?.number ?? 0) + 1;
  const isTaken = lease?.isStanding === true && lease.holder !== body.holder && !isRunOut(cadence);
  const now = beat?.beat_index ?? 0;
  return firstRefusal(
    body.number !== next &&
      refuse("ORDER_GUARD", `the next lease is number ${next}, not ${body.number}`),
    beat === undefined && refuse("ORDER_GUARD", "a lease counts beats, and none is open"),
    isTaken &&
      refuse(
        "ORDER_GUARD",
        `lease ${lease.number} of ${lease.holder} stands through beat ${lease.untilBeat}`,
      ),
    (body.until_beat < now || body.until_beat > now + LEASE_BEATS_MAX) &&
      refuse(
        "LIMIT_GUARD",
        `a lease ends with a beat from ${now} to ${now + LEASE_BEATS_MAX}, not ${body.until_beat}`,
      ),
  );
}

export function applyLease(
  { cadence }: Session,
  { body: { number, holder, until_beat: untilBeat } }: Event<"lease_taken">,
): void {
  cadence.lease = { number, holder, untilBeat, isStanding: true };
}

export function checkLeaseEnd(
  { cadence: { lease } }: Session,
  { body }: Event<"lease_ended">,
): Refusal | undefined {
  return lease?.isStanding && lease.number === body.number
    ? undefined
    : refuse("ORDER_GUARD", `there is no lease ${body.number} that stands`);
}

export function applyLeaseEnd({ cadence: { lease } }: Session): void {
  if (lease) lease.isStanding = false;
}

export function checkStatus(
  { agents, cadence: { statuses, beat } }: Session,
  { body }: Event<"status_claimed">,
): Refusal | undefined {
  const last = statuses.get(body.agent_id) ?? -1;
  return firstRefusal(
    !agents.has(body.agent_id) && refuse("ORDER_GUARD", `there is no agent ${body.agent_id}`),
    body.beat_index <= last &&
      refuse("ORDER_GUARD", `the status of ${body.agent_id} is known up to beat ${last}`),
    (beat === undefined || body.beat_index > beat.beat_index) &&
      refuse("ORDER_GUARD", `beat ${body.beat_index} was not opened`),
  );
}

export function applyStatus(
  { cadence: { statuses } }: Session,
  { body }: Event<"status_claimed">,
): void {
  statuses.set(body.agent_id, body.beat_index);
}
