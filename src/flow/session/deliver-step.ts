import { messageOf } from "../../base/index.ts";
import type { SessionDelivery } from "../../schema/session-report.ts";
import { deliverTask, type TaskOutcome } from "../deliver/task/deliver-task.ts";
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
  const { refused, effect, unmoved } = outcome;
  if (refused !== undefined || effect === undefined) {
    const why = `the delivery was refused by ${refused?.rule}: ${refused?.reason}`;
    return { waits: [why, `sworn cancel ${on.id} gives the delivery up`] };
  }
  on.delivery = deliveryOf(outcome);
  on.say("deliver", `${effect.status}: ${effect.where}`);
  if (effect.status === "planned") return undefined;
  const why = unmoved ?? (await whyUnmoved(on, `${effect.status} at ${effect.where}`));
  if (why !== undefined) {
    const again = `sworn deliver ${work} --to ${to}`;
    on.say("deliver", `it arrived, but its review was not told of it (${again} does): ${why}`);
  }
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

/** It has arrived, and nothing that cannot be noted about it makes that untrue. */
async function whyUnmoved(on: OpenSession, reason: string): Promise<string | undefined> {
  try {
    await submitted(on, reason);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** What was agreed on is handed in; where nobody voted there is nothing to move. */
async function submitted(on: OpenSession, reason: string): Promise<void> {
  const found = completionOf(on.record.session, on.round);
  if (found?.[1].phase !== "CONSENSUS") return;
  const [completion_id, { digest }] = found;
  const body = { completion_id, digest, to: "submitted" as const, reason };
  await on.record.ask([{ actor: actorOf(RUNTIME), type: "review_moved", body }]);
}
