import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { findArtifact, soundBytes } from "../../flow/artifact-bytes.ts";
import { readTrace } from "../../flow/look.ts";
import { TraceArgument, WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import { entryRows } from "../entry-words.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  entry: WholeNumber.optional(),
  artifact: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  const { entry: seq, artifact: wanted } = args;
  if (seq === undefined) {
    if (wanted !== undefined) {
      const next = `sworn trace show ${trace} <entry> --artifact ${wanted}`;
      throw new SwornError("INPUT_INVALID", `--artifact needs the number of an entry: "${next}"`);
    }
    const entries = readTrace(place, trace);
    return { exit: 0, json: { trace, entries }, words: entryRows(entries, io.columns) };
  }
  const [entry] = readTrace(place, trace, seq);
  if (entry?.seq !== seq) {
    throw new SwornError(
      "NOT_FOUND",
      `${trace} has no entry ${seq}; see "sworn trace show ${trace}"`,
    );
  }
  const words = JSON.stringify(entry, null, 2);
  if (wanted === undefined) return { exit: 0, json: { trace, entries: [entry] }, words };
  const artifact = findArtifact(entry, wanted);
  const bytes = soundBytes(place, artifact);
  return { exit: 0, json: { trace, entries: [entry], artifact }, words: artifact, bytes };
}
