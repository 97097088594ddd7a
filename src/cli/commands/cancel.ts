import * as z from "zod";
import { cancelRuns } from "../../flow/agent/cancel-run.ts";
import { counted } from "../counted.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({ run: z.string().min(1) });

export async function run(
  { run: name }: z.infer<typeof Arguments>,
  io: CommandIo,
): Promise<Answer> {
  const asked = cancelRuns(await openRunPlace(io), name).map(({ run_id: id }) => id);
  const words = `${counted(asked.length, "run")} asked to end: ${asked.join(", ")}. Their work will be on refs/sworn/runs/.`;
  return { exit: 0, json: { asked }, words };
}
