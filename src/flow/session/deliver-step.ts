import type { Entry } from "../../schema/index.ts";
import type { SessionDelivery } from "../../schema/session-report.ts";
import { CALLED_OFF, DeliverRecord } from "../deliver/deliver-record.ts";
import { deliverTask, type TaskOutcome } from "../deliver/task/deliver-task.ts";
import { firstEntry, readTrace } from "../look.ts";
import type { Place } from "../place.ts";
import { actorOf, RUNTIME } from "../talk/bus.ts";
import { completionOf } from "./next-step.ts";
import type { OpenSession, Waits } from "./open-session.ts";

/** Hands over what was agreed on; the same thing twice is one delivery. */
export async function deliverStep(on: OpenSession): Promise<Waits | undefined> {
  const { repository, env, home } = on.scene.runner.scene;
  const { to, is_sent: isSent } = on.begin;
  const { work } = on.workLink;
  const outcome = await deliverTask({
    ...{ place: on.place, repository, root: repository.root, work, to, isSent, env, home },
    signal: on.scene.signal,
    onStep: (words) => on.say("deliver", words),
  });
  const { refused, effect } = outcome;
  if (refused !== undefined || effect === undefined) {
    const why = `the delivery was refused by ${refused?.rule}: ${refused?.reason}`;
    return { waits: [why, `sworn cancel ${on.id} gives the delivery up`] };
  }
  on.delivery = deliveryOf(outcome);
  on.say("deliver", `${effect.status}: ${effect.where}`);
  if (effect.status !== "planned") await submitted(on, `${effect.status} at ${effect.where}`);
  return undefined;
}

function deliveryOf({ trace, sink, effect, packet }: TaskOutcome): SessionDelivery {
  return {
    sink,
    status: effect?.status ?? "planned",
    where: effect?.where ?? "",
    trace,
    packet: packet?.tar ?? null,
    packet_sha256: packet?.digest ?? null,
  };
}

/** What was agreed on is handed in; where nobody voted there is nothing to move. */
async function submitted(on: OpenSession, reason: string): Promise<void> {
  const found = completionOf(on.record.session, on.round);
  if (found?.[1].phase !== "CONSENSUS") return;
  const [completion_id, { digest }] = found;
  const body = { completion_id, digest, to: "submitted" as const, reason };
  await on.record.ask([{ actor: actorOf(RUNTIME), type: "review_moved", body }]);
}

/** What a session hands over where; `since` is its own trace, before all of its deliveries. */
interface Handover {
  readonly work: string;
  readonly to: string;
  readonly since: string;
}

/** A delivery of this work that an earlier process brought to its end, from its own record. */
export function findDelivery(place: Place, handover: Handover): SessionDelivery | undefined {
  const { to } = handover;
  for (const { trace, entries } of deliveriesOf(place, handover)) {
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
  for (const { entries } of deliveriesOf(place, handover)) {
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
    await record.asked(objectiveOf(work, to), { work, to });
    await record.calledOff();
  } finally {
    record.close();
  }
}

const objectiveOf = (work: string, to: string) => `deliver work ${work} to ${to}`;

/** The records of its deliveries, the oldest first: however much came after them, they are found. */
function* deliveriesOf(
  place: Place,
  { work, to, since }: Handover,
): Generator<{ readonly trace: string; readonly entries: readonly Entry[] }> {
  for (const trace of place.traces().filter((one) => one > since)) {
    const first = firstEntry(place, trace);
    if (first?.type !== "session_initialized") continue;
    if (first.body.task === "deliver" && first.body.objective === objectiveOf(work, to)) {
      yield { trace, entries: readTrace(place, trace) };
    }
  }
}
