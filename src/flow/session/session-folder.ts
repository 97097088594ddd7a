import { existsSync } from "node:fs";
import { join } from "node:path";
import { SessionReport } from "../../schema/session-report.ts";
import type { Place } from "../place.ts";
import { readStored } from "../trace/stored-document.ts";

const REPORT_BYTES_MAX = 64 << 20;

/** Where the renderings of a session lie. */
export function sessionFolder({ store }: Place, id: string): string {
  return join(store, "session", id);
}

/**
 * What whoever led a session last wrote about it; undefined where nobody did, or it cannot be read. It is a
 * rendering of the record, and written again by whoever goes on: a damaged one keeps nothing from that.
 */
export function lastReport(place: Place, id: string): SessionReport | undefined {
  const path = join(sessionFolder(place, id), "report.json");
  if (!existsSync(path)) return undefined;
  try {
    return readStored(path, SessionReport, REPORT_BYTES_MAX);
  } catch {
    return undefined;
  }
}
