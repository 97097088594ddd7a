import * as z from "zod";
import { runsOf } from "../../flow/agent/cancel-run.ts";
import { Name } from "../../schema/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({ task: Name.optional() });

export async function run({ task }: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const place = await openRunPlace(io);
  const runs = runsOf(place)
    .map(({ info }) => info)
    .filter(({ task_id: id }) => task === undefined || id === task);
  const rows = runs.map((one) => [
    one.run_id,
    one.task_id,
    one.agent,
    one.status,
    one.error_summary ?? one.ref ?? "",
  ]);
  const words =
    runs.length === 0
      ? "No agent has run here yet."
      : table(["RUN", "TASK", "AGENT", "STATE", "WHERE ITS WORK IS, OR WHY NOT"], rows);
  return { exit: 0, json: { runs }, words };
}
