import type { Entry } from "../../schema/index.ts";
import type { SessionDelivery } from "../../schema/session-report.ts";
import { CALLED_OFF, DeliverRecord, workObjective } from "../deliver/deliver-record.ts";
import type { Place } from "../place.ts";
import { firstEntry, readTrace } from "../trace/look.ts";

/** What a session hands over where; `since` is its own trace, before all of its deliveries. */
interface Handover {
  readonly work: string;
  readonly to: string;
  readonly since: string;
}

/** A delivery of this work that an earlier process brought to its end, from its own record. */
export function findDelivery(place: Place, handover: Handover): SessionDelivery | undefined {
  const { to } = handover;
  for (const { trace, entries } of recordsOf(place, handover)) {
    const done = entries.find(
      (entry) => entry.type === "tool_execution_completed" && entry.artifacts.length > 0,
    );
    if (done?.type !== "tool_execution_completed") continue;
    const where = /: (?:sent|present) at (.*)$/.exec(done.body.summary ?? "")?.[1] ?? to;
    return { sink: to, status: "present", where, trace, packet: null, packet_sha256: null };
  }
  return undefined;
}

/** Whether the operator gave up handing it over. */
export function isCalledOff(place: Place, handover: Handover): boolean {
  for (const { entries } of recordsOf(place, handover)) {
    const last = entries.at(-1);
    if (last?.type === "session_aborted" && last.body.reason === CALLED_OFF) return true;
  }
  return false;
}

/** The operator wants it delivered no more; what was agreed on stays as it is. */
export async function callOffDelivery(
  place: Place,
  { work, to }: Pick<Handover, "work" | "to">,
): Promise<void> {
  const record = new DeliverRecord(place);
  try {
    await record.asked(workObjective(work, to), { work, to });
    await record.calledOff();
  } finally {
    record.close();
  }
}

/**
 * The records of its deliveries, the oldest first: however much came after them, they are found.
 *
 * @throws SwornError when a record cannot be read: it could be the one that calls the delivery off.
 */
function* recordsOf(
  place: Place,
  { work, to, since }: Handover,
): Generator<{ readonly trace: string; readonly entries: readonly Entry[] }> {
  for (const trace of place.traces().filter((one) => one > since)) {
    const first = firstEntry(place, trace);
    if (first?.type !== "session_initialized") continue;
    if (first.body.task === "deliver" && first.body.objective === workObjective(work, to)) {
      yield { trace, entries: readTrace(place, trace) };
    }
  }
}
