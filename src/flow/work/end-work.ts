import { takeLead } from "../beat/lead-trace.ts";
import type { Place } from "../place.ts";
import { workOf } from "./work.ts";
import { WorkRecord } from "./work-record.ts";
import { traceOfWork } from "./work-scene.ts";

/** Ends a work for good that nobody goes on with; what is done stays. One that has ended is left alone. */
export async function endWork(place: Place, id: string, reason: string): Promise<void> {
  const known = workOf(place, id);
  if (known === undefined || known.isEnded) return;
  const record = WorkRecord.resume(place, traceOfWork(id));
  try {
    // The lease of a process that is gone still stands.
    await takeLead(record.voice, { phase: "work", beatMs: undefined });
    await record.end({ kind: "failed", words: reason });
  } finally {
    record.close();
  }
}
