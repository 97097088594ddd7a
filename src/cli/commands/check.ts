import { resolve } from "node:path";
import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { REPORT_BYTES_MAX } from "../../claim/index.ts";
import { renderSarif } from "../../deliver/index.ts";
import { type CheckOutcome, checkReports, toldReports } from "../../flow/check/check.ts";
import { reportOfCheck } from "../../flow/check/check-report.ts";
import { checkAnswer } from "../../inside/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { progress } from "../progress.ts";
import { readInput } from "../read-input.ts";
import { table } from "../table.ts";

/** What the report on standard input is called; a file of that name is named by its whole path. */
const INPUT = "standard input";

export const Arguments = z.strictObject({
  reports: z.array(z.string().min(1)).min(1),
  at: z.string().min(1).optional(),
  repo: z.string().min(1).default("."),
  sarif: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const given = await fromInput(args.reports, io);
  const bar = progress(io, "checked", "findings");
  try {
    const outcome = await checkReports({
      paths: args.reports.map((path) => (path === "-" ? INPUT : resolve(io.cwd, path))),
      given,
      repository: resolve(io.cwd, args.repo),
      at: args.at,
      env: io.env,
      signal: io.signal,
      onProgress: (done) => bar.update(done),
    });
    const answer = toAnswer(outcome, io.columns);
    if (!args.sarif) return answer;
    const sarif = renderSarif(await reportOfCheck(outcome));
    return { ...answer, bytes: [Buffer.from(`${JSON.stringify(sarif)}\n`)] };
  } finally {
    bar.end();
  }
}

/** Standard input is one report, however often it is named. */
async function fromInput(
  reports: readonly string[],
  io: CommandIo,
): Promise<ReadonlyMap<string, string>> {
  const asked = reports.filter((path) => path === "-").length;
  if (asked === 0) return new Map();
  if (asked > 1) {
    throw new SwornError("INPUT_INVALID", 'expected "-" once: standard input is one report');
  }
  const bytes = await readInput(io, REPORT_BYTES_MAX, "a report");
  return new Map([[INPUT, bytes.toString("utf8")]]);
}

function toAnswer(outcome: CheckOutcome, columns: number | undefined): Answer {
  const drawn: typeof table = (head, rows) => table(head, rows, columns);
  return { ...checkAnswer(toldReports(outcome), drawn), isAnswered: true };
}
