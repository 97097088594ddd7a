import * as z from "zod";
import { counted } from "../../base/index.ts";
import { cancelRuns } from "../../flow/agent/cancel-run.ts";
import { cancelSession } from "../../flow/session/resume-session.ts";
import { sessionsOf } from "../../flow/session/run-session.ts";
import { wholeId } from "../../flow/whole-id.ts";
import { workFolder, worksOf } from "../../flow/work/work.ts";
import { cancelWork } from "../../flow/work/work-lock.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({ run: z.string().min(1) });

const ENDS = {
  // Whoever leads it still has to see that.
  asked: "was asked to end",
  ended: "has ended: aborted by the operator",
  "kept here": "has ended: its delivery was called off",
} as const;

export async function run(
  { run: called }: z.infer<typeof Arguments>,
  io: CommandIo,
): Promise<Answer> {
  const place = await openRunPlace(io);
  const name = wholeId(place, called, ["run", "work", "session", "task"]);
  if (sessionsOf(place).includes(name)) {
    const how = await cancelSession(place, name);
    const words = `Session ${name} ${ENDS[how]}; what is done stays.`;
    return { exit: 0, json: { asked: [name] }, words };
  }
  if (worksOf(place).some(({ id }) => id === name)) {
    cancelWork(workFolder(place, name));
    const words = `Work ${name} was asked to end; what is done stays, and sworn resume goes on with it.`;
    return { exit: 0, json: { asked: [name] }, words };
  }
  const { asked: runs, left } = cancelRuns(place, name);
  const asked = runs.map(({ run_id: id }) => id);
  const done = `${counted(asked.length, "run")} asked to end: ${asked.join(", ")}. Their work will be on refs/sworn/runs/.`;
  return { exit: 0, json: { asked, left }, words: [done, ...left].join("\n") };
}
