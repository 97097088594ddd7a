import { existsSync } from "node:fs";
import { join } from "node:path";
import { decodeUtf8, parseJson, readPlainFile } from "../../base/index.ts";
import { SessionReport } from "../../schema/session-report.ts";
import type { Place } from "../place.ts";

const REPORT_BYTES_MAX = 64 << 20;

/** Where the renderings of a session lie. */
export function sessionFolder({ store }: Place, id: string): string {
  return join(store, "session", id);
}

/** What whoever led a session last wrote about it; undefined where nobody did, or it has another form. */
export function lastReport(place: Place, id: string): SessionReport | undefined {
  const path = join(sessionFolder(place, id), "report.json");
  if (!existsSync(path)) return undefined;
  const text = decodeUtf8(readPlainFile(path, REPORT_BYTES_MAX, "refuse"));
  return SessionReport.safeParse(parseJson(text, REPORT_BYTES_MAX)).data;
}
