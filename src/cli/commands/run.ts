import * as z from "zod";
import { counted, SwornError } from "../../base/index.ts";
import { LOCAL_BRANCH } from "../../flow/deliver/task/listed-sink.ts";
import { startSession } from "../../flow/session/start-session.ts";
import { Profile } from "../../schema/index.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunner } from "../open-runner.ts";
import { planBytes } from "../plan-input.ts";
import { planAnswer } from "../plan-words.ts";
import { openPlannerRunner } from "../resume-plannings.ts";
import { sessionAnswer } from "../session-words.ts";
import { WorkView } from "../work-view.ts";

export const Arguments = z.strictObject({
  request: z.string().min(1).optional(),
  plan: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  at: z.string().min(1).default("HEAD"),
  profile: Profile.default("solo"),
  to: z.string().min(1).default(LOCAL_BRANCH),
  send: z.boolean().default(false),
});

export async function run(args: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const { request, agent, at, profile, to, send: isSent } = args;
  if ((request === undefined) === (args.plan === undefined)) {
    throw new SwornError(
      "INPUT_INVALID",
      "expected either what is to be done, in words, or --plan <plan.json>",
    );
  }
  const plan = args.plan === undefined ? undefined : await planBytes(args.plan, io);
  const runner = await openRunner(io);
  const view = new WorkView(io);
  try {
    const loose = at === "HEAD" ? await runner.scene.repository.uncommittedFiles() : [];
    if (loose.length > 0) {
      io.err(
        `sworn: ${counted(loose.length, "file")} with changes that are not committed; work begins with the last commit\n`,
      );
    }
    const scene = {
      ...{ runner, signal: io.signal, onEvent: view.take },
      openPlanner: () => openPlannerRunner(io),
    };
    const asked = { request, plan, agent, at, profile, to, isSent };
    const outcome = await startSession(asked, scene);
    return "refused" in outcome ? planAnswer(outcome.refused, profile) : sessionAnswer(outcome);
  } finally {
    view.end();
    await runner.close();
  }
}
