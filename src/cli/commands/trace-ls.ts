import * as z from "zod";
import { innerTraces } from "../../flow/trace/inner-traces.ts";
import { summarize } from "../../flow/trace/look.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { newestFirst } from "../newest-first.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({ all: z.boolean().default(false) });

export async function run({ all }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const traces = summarize(place);
  const inner = all || traces.length === 0 ? new Set<string>() : innerTraces(place);
  const { shown, more } = newestFirst(traces, { all, isInner: ({ trace }) => inner.has(trace) });
  const rows = shown.map(({ trace, state, entries, task, last, problem }) => [
    trace,
    state,
    String(entries),
    task ?? "",
    last ?? "",
    problem ?? "",
  ]);
  const words =
    traces.length === 0
      ? `No traces here yet (looked in ${place.store}); "sworn review" makes one.`
      : `${table(["TRACE", "STATE", "ENTRIES", "TASK", "LAST", ""], rows, io.columns)}${more}`;
  return { exit: 0, json: { traces }, words };
}
