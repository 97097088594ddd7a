import { resolve } from "node:path";
import * as z from "zod";
import { renderSarif } from "../../deliver/index.ts";
import { judgeContract } from "../../flow/validate/judge-contract.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { progress } from "../progress.ts";
import { abortedAnswer, changedAnswer, validatedAnswer } from "../validate-answer.ts";

export const Arguments = z.strictObject({
  contract: z.string().min(1),
  at: z.string().min(1).optional(),
  repo: z.string().min(1).default("."),
  wait: z.boolean().default(false),
  sarif: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const bar = progress(io, "checked", "findings");
  try {
    const outcome = await judgeContract({
      contract: resolve(io.cwd, args.contract),
      repository: resolve(io.cwd, args.repo),
      at: args.at,
      wait: args.wait,
      env: io.env,
      signal: io.signal,
      placeFor: (root) => openPlace({ ...io, cwd: root }, "here"),
      onProgress: (step) => {
        if (step.kind === "checking") bar.update(step.done);
        else io.err(`No file is there yet; looking again in ${step.seconds} seconds\n`);
      },
    });
    bar.end();
    if (outcome.kind === "changed") return changedAnswer(outcome);
    if (outcome.kind === "abort") return abortedAnswer(outcome, args.wait);
    const answer = validatedAnswer(outcome);
    if (!args.sarif) return answer;
    return { ...answer, bytes: [Buffer.from(`${JSON.stringify(renderSarif(outcome.report))}\n`)] };
  } finally {
    bar.end();
  }
}
