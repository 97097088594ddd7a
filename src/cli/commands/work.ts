import * as z from "zod";
import { counted } from "../../base/index.ts";
import { judgePlan } from "../../flow/plan/judge-plan.ts";
import { checkTaskPlan } from "../../flow/plan/task-plan.ts";
import { isRefused } from "../../flow/talk/bus.ts";
import { assertWorkQuorum } from "../../flow/vote/assert-quorum.ts";
import { doWork } from "../../flow/work/do-work.ts";
import { gateWord } from "../../flow/work/gate-plan.ts";
import { startCommit } from "../../flow/work/start-commit.ts";
import type { JudgedOnBoard } from "../../flow/work/work-board.ts";
import type { GateReport } from "../../plan/index.ts";
import { Name, Profile } from "../../schema/index.ts";
import type { Refusal } from "../../view/index.ts";
import { Waivers } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunner } from "../open-runner.ts";
import { planBytes } from "../plan-input.ts";
import { planAnswer } from "../plan-words.ts";
import { onBus, refusedAnswer, whereOf } from "../talk-scope.ts";
import { WorkView } from "../work-view.ts";
import { workAnswer } from "../work-words.ts";

export const Arguments = z.strictObject({
  plan: z.string().min(1),
  agent: z.string().min(1).optional(),
  at: z.string().min(1).default("HEAD"),
  parallel: z
    .string()
    .regex(/^(?:[1-9]|[1-5]\d|6[0-4])$/, "expected a number from 1 to 64")
    .transform(Number)
    .optional(),
  profile: Profile.default("solo"),
  task: Name.optional(),
  waive: Waivers,
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const { signal } = io;
  const judged = await judge(args, io);
  if ("rule" in judged) return refusedAnswer(judged);
  const { report, board } = judged;
  const word = gateWord(report, args.profile);
  if (word.kind !== "open") return planAnswer(report, args.profile);
  const runner = await openRunner(io);
  const view = new WorkView(io);
  try {
    const { repository } = runner.scene;
    assertWorkQuorum(repository.root, args);
    const start = await startCommit(repository, args.at);
    const loose = args.at === "HEAD" ? await repository.uncommittedFiles() : [];
    if (loose.length > 0) {
      io.err(
        `sworn: ${counted(loose.length, "file")} with changes that are not committed; work begins with the last commit\n`,
      );
    }
    const { agent, parallel, profile, task, waive: letThrough } = args;
    view.begin(word.gated.plan);
    const options = {
      agent,
      parallel,
      profile,
      signal,
      onEvent: view.take,
      start,
      letThrough,
      task,
      board,
    };
    return workAnswer(await doWork(runner, word.gated, options));
  } finally {
    view.end();
    await runner.close();
  }
}

/** For a task, the plan is judged with what its board knows, and its questions are asked there. */
async function judge(
  { plan, task }: z.infer<typeof Arguments>,
  io: CommandIo,
): Promise<{ report: GateReport; board?: JudgedOnBoard } | Refusal> {
  const bytes = await planBytes(plan, io);
  if (task === undefined) return { report: judgePlan(bytes) };
  return onBus(await whereOf({ task, project: false }, io), async (on) => {
    const checked = await checkTaskPlan(on, bytes);
    return isRefused(checked) ? checked : { report: checked.report, board: checked };
  });
}
