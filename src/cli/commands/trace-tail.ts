import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { assertBegun } from "../../flow/record/assert-begun.ts";
import { isEnded, readTrace } from "../../flow/trace/look.ts";
import { TraceArgument, WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import { entryRows } from "../entry-words.ts";
import type { Answer, CommandIo } from "../io.ts";

const POLL_MS = 200;
const LINES = 10;

export const Arguments = z.strictObject({
  trace: TraceArgument,
  lines: WholeNumber.default(LINES),
  follow: z.boolean().default(false),
});

/** Following shows entries as they come; its JSON document has all that were shown. */
export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  assertBegun(place, trace);
  const all = readTrace(place, trace);
  const entries = args.lines === 0 ? [] : all.slice(-args.lines);
  if (!args.follow)
    return { exit: 0, json: { trace, entries }, words: entryRows(entries, io.columns) };
  io.say(entryRows(entries, io.columns));
  let size = all.length;
  const seen = [...entries];
  while (!io.signal.aborted && !isEnded(place, trace)) {
    await wait(POLL_MS);
    const fresh = readTrace(place, trace, size);
    if (fresh.length > 0) io.say(entryRows(fresh, io.columns));
    seen.push(...fresh);
    size += fresh.length;
  }
  return { exit: 0, json: { trace, entries: seen }, words: "" };
}
