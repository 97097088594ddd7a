import * as z from "zod";
import { counted } from "../../base/index.ts";
import { type DamagedRun, isCutShort, readRuns } from "../../flow/agent/known-runs.ts";
import { Name } from "../../schema/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { doubtWords } from "../agent-words.ts";
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
  const here = readRuns(place);
  const isMeant = ({ task_id: id }: { readonly task_id: string }) =>
    task === undefined || id === task;
  const runs = here.runs.map(({ info }) => info).filter(isMeant);
  const damaged = here.damaged.filter(isMeant);
  const known = [...runs.map(rowOf), ...damaged.map(damagedRow)];
  const { shown: rows, more } = newestFirst(
    known.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
    { all },
  );
  const none = task === undefined ? "No agent has run here yet." : `No agent has run for ${task}.`;
  const left = runs.filter(isCutShort).length;
  const hint =
    left === 0
      ? ""
      : `\n${counted(left, "run")} cut short: "sworn resume" saves what is there and goes on.`;
  const words =
    known.length === 0
      ? none
      : `${table(["RUN", "TASK", "AGENT", "STATE", "WHY, AND WHERE ITS WORK IS"], rows, io.columns)}${more}${hint}`;
  return { exit: 0, json: { runs, damaged }, words };
}

function rowOf(run: RunInfo): string[] {
  const state = isCutShort(run) ? "cut short" : run.status;
  const why = [run.error_summary, doubtWords(run), run.ref].filter(Boolean).join("; ");
  return [run.run_id, run.task_id, run.agent, state, why];
}

function damagedRow({ run_id: id, task_id: task, why }: DamagedRun): string[] {
  return [id, task, "", "unreadable", why];
}
