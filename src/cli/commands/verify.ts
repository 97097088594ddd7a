import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { verifyTarget } from "../../flow/verify-target.ts";
import { readKeyArgument, threadsHere } from "../arguments.ts";
import type { Answer, Io } from "../io.ts";
import { progress } from "../progress.ts";
import { proofWords, reportWords } from "../report-words.ts";

const COMPILE_FROM_BYTES = 1 << 20;

export const Arguments = z.strictObject({
  target: z.string().min(1),
  profile: z.enum(["strict", "default", "lenient"]).default("default"),
  fast: z.boolean().default(false),
  key: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const path = resolve(io.cwd, args.target);
  const openPlace = async () => (await import("../config.ts")).openPlace(io);
  // Compiling the shapes pays off only where many entries go through them.
  if (sizeOf(path) < COMPILE_FROM_BYTES) z.config({ jitless: true });
  const trustedKey = readKeyArgument(args.key, io);
  const bar = progress(io, "verified");
  const outcome = await verifyTarget(openPlace, existsSync(path) ? path : args.target, {
    profile: args.profile,
    mode: args.fast ? "fast" : "full",
    trustedKey,
    threads: threadsHere(),
    onProgress: (entries) => {
      io.signal.throwIfAborted();
      bar.update(entries);
    },
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

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
}
