import { existsSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { verifyTarget } from "../../flow/verify-target.ts";
import { readKeyArgument } from "../arguments.ts";
import { openPlace } from "../config.ts";
import type { Answer, Io } from "../io.ts";
import { progress } from "../progress.ts";
import { proofWords, reportWords } from "../report-words.ts";

export const Arguments = z.strictObject({
  target: z.string().min(1),
  profile: z.enum(["strict", "default", "lenient"]).default("default"),
  fast: z.boolean().default(false),
  key: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = openPlace(io);
  const path = resolve(io.cwd, args.target);
  const trustedKey = readKeyArgument(args.key, io);
  const bar = progress(io, "verified");
  const outcome = await verifyTarget(place, existsSync(path) ? path : args.target, {
    profile: args.profile,
    mode: args.fast ? "fast" : "full",
    trustedKey,
    threads: place.threads,
    onProgress: bar.update,
  });
  bar.end();
  if (outcome.kind === "proof") {
    const { verdict } = outcome;
    return { exit: verdict.status === "pass" ? 0 : 4, json: verdict, words: proofWords(verdict) };
  }
  const { report } = outcome;
  const words = reportWords(report, trustedKey !== undefined);
  return { exit: report.status === "fail" ? 4 : 0, json: report, words };
}
