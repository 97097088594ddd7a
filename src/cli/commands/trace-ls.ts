import * as z from "zod";
import { summarize } from "../../flow/look.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({});

export async function run(_: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const traces = summarize(place);
  const rows = traces.map(({ trace, state, entries, task, last, problem }) => [
    trace,
    state,
    String(entries),
    task ?? "",
    last ?? "",
    problem ?? "",
  ]);
  const words =
    traces.length === 0
      ? `No traces here yet (looked in ${place.store}); "sworn trace record <script.jsonl>" makes one.`
      : table(["TRACE", "STATE", "ENTRIES", "TASK", "LAST", ""], rows);
  return { exit: 0, json: { traces }, words };
}
