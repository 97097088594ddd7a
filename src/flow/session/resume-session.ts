import { SwornError } from "../../base/index.ts";
import { FINAL_STATES } from "../../view/index.ts";
import { takeLead } from "../beat/lead-trace.ts";
import type { Place } from "../place.ts";
import { cancelWork } from "../work/work-lock.ts";
import { traceOfWork } from "../work/work-scene.ts";
import { endAborted } from "./end-step.ts";
import { inRound } from "./next-step.ts";
import { Begin, type SessionScene, WorkLink } from "./open-session.ts";
import { leadSession, type SessionOutcome, sessionsOf } from "./run-session.ts";
import { callOffDelivery, isCalledOff, isHandedOver } from "./session-delivery.ts";
import { sessionFolder } from "./session-folder.ts";
import { SessionRecord } from "./session-record.ts";

/** Goes on with a session from its record alone; what it finished is not done again. */
export async function resumeSession(id: string, scene: SessionScene): Promise<SessionOutcome> {
  const record = SessionRecord.resume(scene.runner.scene.place, traceOfWork(id));
  try {
    return await leadSession(id, scene, record);
  } finally {
    record.close();
  }
}

/** Sessions that have not come to their end, as far as can be told. */
export function openSessions(place: Place): string[] {
  return sessionsOf(place).filter((id) => {
    try {
      return inRecord(place, id, (record) => isOpen(place, id, record));
    } catch {
      // Whoever goes on with it hears why it cannot be read, and it keeps no other from going on.
      return true;
    }
  });
}

function isOpen(place: Place, id: string, record: SessionRecord): boolean {
  const { state } = record.session;
  if (state !== "completed") return !FINAL_STATES.includes(state);
  return !isSettled(place, id, record);
}

/** Agreed on, and handed over, rehearsed or called off: nothing is left to do. */
function isSettled(place: Place, id: string, record: SessionRecord): boolean {
  const handover = handoverOf(record);
  if (handover === undefined) return false;
  return isHandedOver(place, id, handover) || isCalledOff(place, handover);
}

function handoverOf(record: SessionRecord) {
  const [work] = worksIn(record).slice(-1);
  const { to, is_sent: isSent } = Begin.parse(record.json("begin"));
  return work === undefined ? undefined : { work, to, isSent };
}

/**
 * The works that sessions lead: whoever goes on with those goes on with them.
 *
 * @throws SwornError when the record of a session cannot be read: any work could be one of its own.
 */
export function worksOfSessions(place: Place): ReadonlySet<string> {
  return new Set(sessionsOf(place).flatMap((id) => inRecord(place, id, worksIn)));
}

/**
 * The tasks that sessions plan themselves: they know from which commit, and what a critic said. One that
 * cannot be read keeps no planning from going on.
 */
export function plannedBySessions(place: Place): ReadonlySet<string> {
  const tasks = openSessions(place).flatMap((id) => {
    try {
      return [inRecord(place, id, (record) => Begin.parse(record.json("begin")).task)];
    } catch {
      // It is told of when it is to go on.
      return [];
    }
  });
  return new Set(tasks);
}

function worksIn(record: SessionRecord): string[] {
  const rounds = record.session.reworkRounds + 1;
  const names = Array.from({ length: rounds }, (_, round) => inRound("work", round));
  return names
    .filter((name) => record.has(name))
    .map((name) => WorkLink.parse(record.json(name)).work);
}

function inRecord<T>(place: Place, id: string, act: (record: SessionRecord) => T): T {
  const record = SessionRecord.resume(place, traceOfWork(id));
  try {
    return act(record);
  } finally {
    record.close();
  }
}

/** Whether runs are filed under a session: it asks again itself where it needs to. */
export function isOfSession(task: string): boolean {
  return /^session-[0-9a-z]{26}$/.test(task);
}

/**
 * Ends a session in the operator's name. Who leads it is asked to; where nobody does, it is ended here.
 * Of one that was agreed on and waits for its delivery, that delivery is called off.
 *
 * @throws SwornError `INPUT_INVALID` when it has come to its end.
 */
export async function cancelSession(
  place: Place,
  id: string,
): Promise<"asked" | "ended" | "kept here"> {
  try {
    cancelWork(sessionFolder(place, id));
    return "asked";
  } catch (error) {
    if (!(error instanceof SwornError && error.code === "NOT_FOUND")) throw error;
  }
  const record = SessionRecord.resume(place, traceOfWork(id));
  try {
    const { state } = record.session;
    const handover = state === "completed" ? handoverOf(record) : undefined;
    if (handover !== undefined && !isSettled(place, id, record)) {
      await callOffDelivery(place, handover);
      return "kept here";
    }
    if (FINAL_STATES.includes(state)) {
      throw new SwornError("INPUT_INVALID", `session ${id} has come to its end`);
    }
    // The lease of a process that is gone still stands.
    await takeLead(record.voice, { phase: "work", beatMs: undefined });
    await endAborted({ record, place });
    return "ended";
  } finally {
    record.close();
  }
}
