import { resolve } from "node:path";
import * as z from "zod";
import { exportTrace } from "../../flow/bundle.ts";
import { TraceArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  trace: TraceArgument,
  out: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const trace = place.find(args.trace);
  const out = args.out ?? `${trace}.tar`;
  const { entries, artifacts, missing } = exportTrace(place, trace, resolve(io.cwd, out));
  const words = [
    `Wrote ${out}: ${entries} entries, ${artifacts} artifacts`,
    ...missing.map((hash) => `Warning: the artifact ${hash} is cited but not in the store`),
    `Anyone can check it with "sworn verify ${out}"`,
  ];
  return {
    exit: 0,
    json: { trace, path: out, entries, artifacts, missing },
    words: words.join("\n"),
  };
}
