import * as z from "zod";
import { counted } from "../../base/index.ts";
import { assertBegun } from "../../flow/record/assert-begun.ts";
import { exportTrace } from "../../flow/trace/bundle.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { BUNDLE, outPath } from "../out-file.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  out: z.string().min(1).optional(),
  force: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  assertBegun(place, trace);
  const out = args.out ?? `${trace}.tar`;
  const path = outPath(out, BUNDLE, args.force, io);
  const { entries, artifacts, missing } = exportTrace(place, trace, path);
  const words = [
    `Wrote ${out}: ${counted(entries, "entry")}, ${counted(artifacts, "artifact")}`,
    ...missing.map((hash) => `Warning: the artifact ${hash} is cited but not in the store`),
    `Others check it with "sworn verify ${out} --key <your verifier key>"`,
    '"sworn keys export-public" prints that key; give it to them by another way than the bundle.',
  ];
  return {
    exit: 0,
    json: { trace, path: out, entries, artifacts, missing },
    words: words.join("\n"),
  };
}
