import * as z from "zod";
import { examineMachine } from "../../flow/doctor.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({});

export async function run(_: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const health = await examineMachine(openPlace(io), io.env);
  const rows = health.engines.flatMap(({ engine, refusals }) =>
    refusals.length === 0
      ? [[engine, "ready", "enforces every control"]]
      : refusals.map(({ control, reason }) => [engine, `no ${control}`, reason]),
  );
  const isReady = health.engines.some(({ refusals }) => refusals.length === 0);
  const { digest, rules } = health.policies;
  const words = `${table(["ENGINE", "STATE", "WHY"], rows)}\npolicies ${digest.slice(0, 12)}, ${rules} rules\n`;
  return { exit: isReady ? 0 : 3, json: health, words, isAnswered: true };
}
