import * as z from "zod";
import { counted } from "../../base/index.ts";
import { isCutShort, runsOf } from "../../flow/agent/known-runs.ts";
import { Name } from "../../schema/index.ts";
import { refutedWords } from "../agent-words.ts";
import type { Answer, CommandIo } from "../io.ts";
import { newestFirst } from "../newest-first.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({
  task: Name.optional(),
  all: z.boolean().default(false),
});

export async function run(
  { task, all }: z.infer<typeof Arguments>,
  io: CommandIo,
): Promise<Answer> {
  const place = await openRunPlace(io);
  const runs = runsOf(place)
    .map(({ info }) => info)
    .filter(({ task_id: id }) => task === undefined || id === task);
  const { shown, more } = newestFirst(runs, { all });
  const rows = shown.map((one) => [
    one.run_id,
    one.task_id,
    one.agent,
    isCutShort(one) ? "cut short" : one.status,
    [one.error_summary, refutedWords(one), one.ref].filter(Boolean).join("; "),
  ]);
  const none = task === undefined ? "No agent has run here yet." : `No agent has run for ${task}.`;
  const left = runs.filter(isCutShort).length;
  const hint =
    left === 0
      ? ""
      : `\n${counted(left, "run")} cut short: "sworn resume" saves what is there and goes on.`;
  const words =
    runs.length === 0
      ? none
      : `${table(["RUN", "TASK", "AGENT", "STATE", "WHY, AND WHERE ITS WORK IS"], rows)}${more}${hint}`;
  return { exit: 0, json: { runs }, words };
}
