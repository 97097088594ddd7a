import * as z from "zod";
import { counted } from "../../base/index.ts";
import { type FsckOutcome, fsck } from "../../flow/trace/fsck.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({ trace: TraceArgument.optional() });

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const wanted = args.trace === undefined ? place.traces() : [place.find(args.trace)];
  const traces: FsckOutcome[] = [];
  for (const trace of wanted) traces.push(await fsck(place, trace));
  const isDamaged = traces.some(({ status }) => status === "damaged");
  const words = [
    ...traces.map(outcomeWords),
    ...(traces.length === 0 ? [`No traces here (looked in ${place.store}).`] : []),
    ...(isDamaged
      ? ['Restore the damaged files from a backup, or see "sworn trace recover <trace>".']
      : []),
  ];
  const json = { status: isDamaged ? "damaged" : "ok", traces };
  return { exit: isDamaged ? 4 : 0, json, words: words.join("\n") };
}

function outcomeWords({ trace, status, entries, problems, report }: FsckOutcome): string {
  const found = [...problems, ...(report?.failures ?? [])];
  return [
    `${trace}: ${status} (${counted(entries, "entry")})`,
    ...found.map(({ code, message }) => `  ${code}: ${message}`),
  ].join("\n");
}
