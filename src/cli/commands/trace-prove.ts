import { resolve } from "node:path";
import * as z from "zod";
import { writeFileDurably } from "../../base/index.ts";
import { proveEntry } from "../../flow/prove.ts";
import { TraceArgument, WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  entry: WholeNumber,
  since: WholeNumber.optional(),
  out: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  const proof = proveEntry(place, trace, args.entry, args.since);
  const text = JSON.stringify(proof, null, 2);
  if (args.out === undefined) return { exit: 0, json: proof, words: text };
  writeFileDurably(resolve(io.cwd, args.out), `${text}\n`);
  const words = [
    `Wrote ${args.out}: entry ${args.entry} of ${trace} in ${proof.path.length} steps`,
    `Check it with "sworn verify ${args.out}"`,
  ];
  return { exit: 0, json: proof, words: words.join("\n") };
}
