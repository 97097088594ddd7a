import * as z from "zod";
import { isCutShort, readRuns, runNamed } from "../../flow/agent/known-runs.ts";
import { wholeId } from "../../flow/whole-id.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({ run: z.string().min(1) });

export async function run(
  { run: name }: z.infer<typeof Arguments>,
  io: CommandIo,
): Promise<Answer> {
  const place = await openRunPlace(io);
  const info = runNamed(readRuns(place), wholeId(place, name, ["run"]));
  const said = info.said ?? [];
  const plain = (text: string) => text.replaceAll(/[\p{C}\s]+/gu, " ");
  const isLeft = isCutShort(info);
  const writer = info.output_origin;
  const words = [
    `${info.agent} ${isLeft ? "cut short" : info.status}${info.error_summary ? ` (${plain(info.error_summary)})` : ""}, task ${info.task_id}, run ${info.run_id}`,
    ...(info.ref === undefined ? [] : [`work ${info.ref}`]),
    ...said.map(({ text, verdict, reason }) => `${verdict}: "${plain(text)}" (${plain(reason)})`),
    ...(said.length === 0 ? ["It said nothing that could be checked."] : []),
    `prompt ${info.prompt_path}`,
    `output ${info.output_path} (${writer === null ? "not written yet" : `written by the ${writer}`})`,
    `streams ${info.stdout_path} ${info.stderr_path}`,
    ...(info.trace === undefined ? [] : [`trace ${info.trace}`]),
    ...(isLeft ? ['Next: "sworn resume" saves what is there and goes on.'] : []),
  ];
  return { exit: 0, json: { run: info }, words: words.join("\n") };
}
