import * as z from "zod";
import { execRoot } from "../../flow/exec/exec-root.ts";
import { judgePlan } from "../../flow/plan/judge-plan.ts";
import { checkTaskPlan } from "../../flow/plan/task-plan.ts";
import { isRefused } from "../../flow/talk/bus.ts";
import { toMoment } from "../../inside/index.ts";
import type { GateReport } from "../../plan/index.ts";
import { Profile } from "../../schema/index.ts";
import { Deadline } from "../arguments.ts";
import type { Answer, Io } from "../io.ts";
import { missingJudge } from "../missing-judge.ts";
import { planBytes } from "../plan-input.ts";
import { planAnswer } from "../plan-words.ts";
import { onBus, refusedAnswer, scope, whereOf } from "../talk-scope.ts";

export const Arguments = z.strictObject({
  plan: z.string().min(1),
  profile: Profile.default("solo"),
  ...scope,
  deadline: Deadline.optional(),
});

/** For a task it is judged with what the task knows, and written down; else it is only judged. */
export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const bytes = await planBytes(args.plan, io);
  const root = await execRoot(io.cwd, io.env);
  const answerOf = (report: GateReport) =>
    planAnswer(report, args.profile, missingJudge(report, root));
  if (args.task === undefined && !args.project) return answerOf(judgePlan(bytes));
  return onBus(await whereOf(args, io), async (on) => {
    const deadline = toMoment(args.deadline, on.place.clock());
    const checked = await checkTaskPlan(on, bytes, deadline);
    return isRefused(checked) ? refusedAnswer(checked) : answerOf(checked.report);
  });
}
