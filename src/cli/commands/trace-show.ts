import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { readTrace } from "../../flow/look.ts";
import { TraceArgument, WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import { entryRows } from "../entry-words.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({ trace: TraceArgument, entry: WholeNumber.optional() });

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  const seq = args.entry;
  if (seq === undefined) {
    const entries = readTrace(place, trace);
    return { exit: 0, json: { trace, entries }, words: entryRows(entries) };
  }
  const [entry] = readTrace(place, trace, seq);
  if (entry?.seq !== seq) {
    throw new SwornError(
      "NOT_FOUND",
      `${trace} has no entry ${seq}; see "sworn trace show ${trace}"`,
    );
  }
  return { exit: 0, json: { trace, entries: [entry] }, words: JSON.stringify(entry, null, 2) };
}
