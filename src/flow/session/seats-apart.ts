import { WorkReport } from "../../schema/work.ts";
import { whyNotApart } from "../agent/same-agent.ts";
import { inRound } from "./next-step.ts";
import type { OpenSession } from "./open-session.ts";
import { sittingsOf, WORKER } from "./seats.ts";
import { CHANGE_SEATS } from "./waits-for.ts";

/**
 * Why nobody is asked for a word about the work as things stand: `sworn.yaml` can have changed since
 * the seats were filled, so that whoever worked in any round has come into another seat.
 */
export function whyShared(on: OpenSession): string | undefined {
  const sittings = sittingsOf(on.begin.seats, on.root);
  const workers = [sittings.worker, ...workedBefore(on)];
  return workers
    .map((worker) => whyNotApart({ ...sittings, worker }, on.begin.profile))
    .find((why) => why !== undefined);
}

export function sharedNext({ id }: OpenSession): string {
  return `${CHANGE_SEATS}; sworn cancel ${id} ends it`;
}

/** Who did the work of each round, with the settings of then. */
function workedBefore({ record, round }: OpenSession) {
  return Array.from({ length: round + 1 }, (_, at) => inRound("work-report", at))
    .filter((name) => record.has(name))
    .flatMap((name) => {
      const { seats } = WorkReport.parse(record.json(name));
      return seats === undefined ? [] : [{ seat: WORKER.agent, ...seats.worker }];
    });
}
