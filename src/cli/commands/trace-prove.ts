import * as z from "zod";
import { counted, writeFileDurably } from "../../base/index.ts";
import { assertBegun } from "../../flow/record/assert-begun.ts";
import { proveEntry } from "../../flow/trace/prove.ts";
import { TraceArgument, WholeNumber } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { outPath, PROOF } from "../out-file.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  entry: WholeNumber,
  since: WholeNumber.optional(),
  out: z.string().min(1).optional(),
  force: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  assertBegun(place, trace);
  const proof = proveEntry(place, trace, args.entry, args.since);
  const text = JSON.stringify(proof, null, 2);
  if (args.out === undefined) return { exit: 0, json: proof, words: text };
  writeFileDurably(outPath(args.out, PROOF, args.force, io), `${text}\n`);
  const words = [
    `Wrote ${args.out}: entry ${args.entry} of ${trace} in ${counted(proof.path.length, "step")}`,
    `Others check it with "sworn verify ${args.out} --key <your verifier key>"`,
  ];
  return { exit: 0, json: proof, words: words.join("\n") };
}
