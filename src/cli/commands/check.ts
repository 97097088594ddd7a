import { resolve } from "node:path";
import * as z from "zod";
import { renderSarif } from "../../deliver/index.ts";
import { type CheckOutcome, checkReports, toldReports } from "../../flow/check.ts";
import { reportOfCheck } from "../../flow/check-report.ts";
import { checkAnswer } from "../../inside/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { progress } from "../progress.ts";

export const Arguments = z.strictObject({
  reports: z.array(z.string().min(1)).min(1),
  at: z.string().min(1).optional(),
  repo: z.string().min(1).default("."),
  sarif: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const bar = progress(io, "checked", "findings");
  try {
    const outcome = await checkReports({
      paths: args.reports.map((path) => resolve(io.cwd, path)),
      repository: resolve(io.cwd, args.repo),
      at: args.at,
      env: io.env,
      signal: io.signal,
      onProgress: (done) => bar.update(done),
    });
    const answer = toAnswer(outcome);
    if (!args.sarif) return answer;
    const sarif = renderSarif(await reportOfCheck(outcome));
    return { ...answer, bytes: [Buffer.from(`${JSON.stringify(sarif)}\n`)] };
  } finally {
    bar.end();
  }
}

function toAnswer(outcome: CheckOutcome): Answer {
  return { ...checkAnswer(toldReports(outcome)), isAnswered: true };
}
