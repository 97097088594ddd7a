import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureFolder, SwornError } from "../../../base/index.ts";
import { assertNoLink, type Place } from "../../place.ts";
import { WorkLock } from "../../work/work-lock.ts";
import type { DeliveredWork } from "./delivered-work.ts";

const LOOK_MS = 100;
/** Ten minutes: a store that is slow and asked again and again takes no longer. */
const LOOKS_MAX = 6_000;

/** Where the packets of a work lie. */
export function packetHome({ store }: Place, { kind, report }: DeliveredWork): string {
  return join(store, kind === "task" ? "work" : "delivered", report.work);
}

/**
 * One at a time packs and hands over a work: packets of one work are made in one folder, and whoever
 * comes later finds what the one before has done instead of doing it again.
 *
 * @throws SwornError `LEDGER_BUSY` when another one takes longer than anybody waits.
 */
export async function inTurn<T>(
  home: string,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (words: string) => void },
  act: () => Promise<T>,
): Promise<T> {
  const folder = join(home, "delivering");
  for (const path of [home, folder]) assertNoLink(path);
  ensureFolder(folder);
  const lock = await take(folder, signal, onStep);
  try {
    return await act();
  } finally {
    lock.release();
  }
}

async function take(
  folder: string,
  signal: AbortSignal,
  onStep: (words: string) => void,
): Promise<WorkLock> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    try {
      return WorkLock.take(folder);
    } catch (error) {
      if (!(error instanceof SwornError) || error.code !== "LEDGER_BUSY") throw error;
      if (looks === 0) onStep("it is delivered by another process right now; waiting for that");
      await wait(LOOK_MS, undefined, { signal });
    }
  }
  const minutes = (LOOK_MS * LOOKS_MAX) / 60_000;
  throw new SwornError("LEDGER_BUSY", `for ${minutes} minutes another process delivers it`);
}
