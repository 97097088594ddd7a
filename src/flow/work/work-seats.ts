import type { Profile } from "../../schema/index.ts";
import type { WorkSeats } from "../../schema/work.ts";
import type { ChosenAgent } from "../agent/choose-agent.ts";
import { assertApart, isSameAgent, type Sitting, settingsDigest } from "../agent/same-agent.ts";

/** Who was found for the seats of a work. */
interface Chosen {
  readonly worker: ChosenAgent;
  readonly reviewer: ChosenAgent | undefined;
  readonly judge: ChosenAgent | undefined;
}

/**
 * Who sits where in a work.
 *
 * @throws SwornError `INPUT_INVALID` where the profile asks for another than the worker in a seat.
 */
export function workSeats({ worker, reviewer, judge }: Chosen, profile: Profile): WorkSeats {
  const seat = ({ name: by, config }: ChosenAgent) => ({ by, settings: settingsDigest(config) });
  const seats: WorkSeats = {
    worker: seat(worker),
    reviewer: reviewer === undefined ? null : seat(reviewer),
    judge: judge === undefined ? null : seat(judge),
  };
  const own = { seat: "worker", ...seats.worker };
  assertApart({ worker: own, judging: lookingIn(seats), voters: [] }, profile);
  return seats;
}

/** Those who look at a work: its reviewer and its judge, where agents are. */
export function lookingIn({ reviewer, judge }: WorkSeats): Sitting[] {
  return [
    ...(reviewer === null ? [] : [{ seat: "reviewer", ...reviewer }]),
    ...(judge === null ? [] : [{ seat: "judge", ...judge }]),
  ];
}

/** Where whoever looked at a work is the one who did it. */
export function sharedInWork(seats: WorkSeats | undefined): string[] {
  if (seats === undefined) return [];
  const { worker } = seats;
  return lookingIn(seats)
    .filter((one) => isSameAgent(one, worker))
    .map(({ seat, by }) =>
      by === worker.by
        ? `${seat} and worker are both ${by}`
        : `${seat} (${by}) and worker (${worker.by}) have the same settings`,
    );
}
