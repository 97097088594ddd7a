import * as z from "zod";
import { Bus } from "../../flow/talk/bus.ts";
import { stateOf } from "../../flow/talk/task-state.ts";
import { isInnerTask } from "../../flow/trace/inner-traces.ts";
import type { Answer, Io } from "../io.ts";
import { newestFirst } from "../newest-first.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({ all: z.boolean().default(false) });

export async function run({ all }: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const buses = [undefined, ...place.tasks()].flatMap((task) => {
    const on = Bus.find({ place, task });
    if (on === undefined) return [];
    try {
      return [summaryOf(on)];
    } finally {
      on.close();
    }
  });
  const byTime = buses.toSorted((a, b) => ((a.last ?? "") < (b.last ?? "") ? -1 : 1));
  const isInner = ({ task }: { task: string | null }) => task !== null && isInnerTask(task);
  const { shown, more } = newestFirst(byTime, { all, isInner });
  const rows = shown.map((one) => [
    one.task ?? "(project)",
    String(one.messages),
    String(one.open_questions),
    String(one.running),
    one.last ?? "",
  ]);
  const words =
    buses.length === 0
      ? 'nothing was said yet; say something with "sworn bus post"'
      : `${table(["BUS", "MESSAGES", "OPEN", "RUNNING", "LAST"], rows, io.columns)}${more}`;
  return { exit: 0, json: { buses }, words };
}

function summaryOf(on: Bus) {
  const { task, trace, last_entry_at, runs, open_questions } = stateOf(on);
  return {
    task,
    trace,
    messages: on.talk().messages.length,
    open_questions: open_questions.length,
    running: runs.running.length,
    last: last_entry_at,
  };
}
