import { dirname } from "node:path";
import type { Entry } from "../../schema/index.ts";
import type { SessionDelivery } from "../../schema/session-report.ts";
import { CALLED_OFF, DeliverRecord, workObjective } from "../deliver/deliver-record.ts";
import { sinkOf, staysHere } from "../deliver/task/listed-sink.ts";
import type { Place } from "../place.ts";
import { firstEntry, readTrace } from "../trace/look.ts";
import { lastReport } from "./session-folder.ts";

/** What a session hands over where. */
interface Handover {
  readonly work: string;
  readonly to: string;
  /** Whether what would leave this machine is to. */
  readonly isSent: boolean;
}

/** A delivery of this work that an earlier process brought to its end, from its own record. */
export function findDelivery(place: Place, handover: Handover): SessionDelivery | undefined {
  for (const { trace, entries } of recordsOf(place, handover)) {
    const found = deliveryIn(trace, entries, handover.to);
    if (found !== undefined) return found;
  }
  return undefined;
}

function deliveryIn(
  trace: string,
  entries: readonly Entry[],
  to: string,
): SessionDelivery | undefined {
  const done = entries.find(
    (entry) => entry.type === "tool_execution_completed" && entry.artifacts.length > 0,
  );
  if (done?.type !== "tool_execution_completed") return undefined;
  const where = /: (?:sent|present) at (.*)$/.exec(done.body.summary ?? "")?.[1] ?? to;
  return { sink: to, status: "present", where, trace, packet: null, packet_sha256: null };
}

/**
 * Whether what was agreed on was handed over, or rehearsed where nothing more was asked for. A session's
 * report is only a rendering, which may be an old one or somebody else's: it says where to look first.
 */
export function isHandedOver(place: Place, id: string, handover: Handover): boolean {
  const delivery = lastReport(place, id)?.delivery ?? undefined;
  if (delivery?.status === "planned" && isOnlyRehearsed(place, handover)) return true;
  const { trace = null } = delivery ?? {};
  const isShown =
    trace !== null && place.traces().includes(trace) && isDeliveryOf(place, trace, handover);
  return isShown || findDelivery(place, handover) !== undefined;
}

/** A rehearsal leaves no record. Where handing over means to do it, its word skips nothing. */
export function isOnlyRehearsed(
  place: Place,
  { to, isSent }: Pick<Handover, "to" | "isSent">,
): boolean {
  if (isSent) return false;
  try {
    const sink = sinkOf({ place, root: dirname(place.store), to, home: place.state });
    return sink !== undefined && !staysHere(sink);
  } catch {
    // Where it goes cannot be told: whoever goes on with it hears why.
    return false;
  }
}

function isDeliveryOf(place: Place, trace: string, { work, to }: Handover): boolean {
  const entries = readTrace(place, trace);
  return isAbout(entries[0], { work, to }) && deliveryIn(trace, entries, to) !== undefined;
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
 * The records of its deliveries, the oldest first: however much came after them, they are found. All are
 * looked at, as a clock that was set back gives a later one an earlier name.
 *
 * @throws SwornError when a record cannot be read: it could be the one that calls the delivery off.
 */
function* recordsOf(
  place: Place,
  { work, to }: Pick<Handover, "work" | "to">,
): Generator<{ readonly trace: string; readonly entries: readonly Entry[] }> {
  for (const trace of place.traces()) {
    if (isAbout(firstEntry(place, trace), { work, to })) {
      yield { trace, entries: readTrace(place, trace) };
    }
  }
}

function isAbout(first: Entry | undefined, { work, to }: Pick<Handover, "work" | "to">): boolean {
  if (first?.type !== "session_initialized") return false;
  return first.body.task === "deliver" && first.body.objective === workObjective(work, to);
}
