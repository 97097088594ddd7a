import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import type { Place } from "../../place.ts";
import { workIdOf } from "../../work/work-scene.ts";
import { readDeliveredSession } from "./delivered-session.ts";
import { type DeliveredWork, readDeliveredWork } from "./delivered-work.ts";

const TRACE_ID = /^trace_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Reads what is to be delivered: a work by its id or its trace, or any other session by its trace. */
export function readDelivered(place: Place, id: string): Promise<DeliveredWork | ExecRefusal> {
  if (!TRACE_ID.test(id)) return readDeliveredWork(place, id);
  const work = workIdOf(id);
  return existsSync(join(place.store, "work", work, "report.json"))
    ? readDeliveredWork(place, work)
    : readDeliveredSession(place, id);
}
