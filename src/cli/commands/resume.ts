import { readFileSync } from "node:fs";
import * as z from "zod";
import { messageOf } from "../../base/index.ts";
import type { AgentRunner } from "../../flow/agent/agent-runner.ts";
import { chooseAgent } from "../../flow/agent/choose-agent.ts";
import { type RecoveredRun, recoverRuns } from "../../flow/agent/recover-runs.ts";
import { continuing, type LoopOutcome, runUntilDone } from "../../flow/agent/restart-loop.ts";
import { isOfPlanning } from "../../flow/plan/planner/unfinished-plannings.ts";
import { goOnWithWork, isOfWork } from "../../flow/work/do-work.ts";
import { type WorkOutcome, worksOf } from "../../flow/work/work.ts";
import { agentProgress, exitOf, outcomeJson, outcomeWords } from "../agent-words.ts";
import { Rounds } from "../arguments.ts";
import { counted } from "../counted.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunner } from "../open-runner.ts";
import { goOnWithPlannings } from "../resume-plannings.ts";
import { WorkView } from "../work-view.ts";
import { workAnswer } from "../work-words.ts";

export const Arguments = z.strictObject({ save: z.boolean().default(false), rounds: Rounds });
type Arguments = z.infer<typeof Arguments>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const runner = await openRunner(io);
  try {
    const recovered = await recoverRuns(runner.scene);
    for (const one of recovered) io.say(`${savedWords(one)}\n`);
    // Whatever was cut short; what had come to its end is not done again.
    const cut = recovered.filter(
      ({ info }) =>
        !args.save && info.status === "failed" && !isOfWork(info.task_id) && !isOfPlanning(info),
    );
    const again: LoopOutcome[] = [];
    const stuck: string[] = [];
    for (const one of cut) {
      try {
        again.push(await goOn(one, runner, args.rounds, io));
      } catch (error) {
        // One that cannot go on must not keep the others from it; its work is saved.
        stuck.push(`run ${one.info.run_id} cannot go on: ${messageOf(error)}`);
      }
    }
    const { place } = runner.scene;
    const plannings = args.save ? [] : await goOnWithPlannings(place, io, stuck);
    const works = args.save ? [] : await goOnWithWorks(runner, io, stuck);
    return answerOf(recovered, again, stuck, [...plannings, ...works.map(workAnswer)], works);
  } finally {
    await runner.close();
  }
}

/** Works go on after single runs: a run that belongs to one is its to go on with. */
async function goOnWithWorks(
  runner: AgentRunner,
  io: CommandIo,
  stuck: string[],
): Promise<WorkOutcome[]> {
  const done: WorkOutcome[] = [];
  for (const { id } of worksOf(runner.scene.place).filter(({ isEnded }) => !isEnded)) {
    const view = new WorkView(io);
    try {
      const options = { signal: io.signal, onEvent: view.take };
      done.push(await goOnWithWork(runner, id, options));
    } catch (error) {
      stuck.push(`work ${id} cannot go on: ${messageOf(error)}`);
    } finally {
      view.end();
    }
  }
  return done;
}

async function goOn(
  { info, saved }: RecoveredRun,
  runner: AgentRunner,
  roundsMax: number,
  io: CommandIo,
): Promise<LoopOutcome> {
  const { env, home, signal } = io;
  const { root } = runner.scene.repository;
  const chosen = await chooseAgent(info.agent, { root, env, home });
  const { onEvent, onStep, onStarted, end } = agentProgress(io, info.agent);
  const request = {
    ...{ agent: chosen.name, driver: chosen.driver, service: chosen.service },
    limits: chosen.config.limits,
    prompt: readFileSync(info.prompt_path, "utf8"),
    task: info.task_id,
    role: info.role,
    ...{ signal, onEvent, onStep, onStarted },
  };
  const at = saved?.commit ?? info.ref ?? info.base ?? "HEAD";
  return runUntilDone(runner, continuing(request, info, at), { roundsMax }).finally(end);
}

function savedWords({ info, saved }: RecoveredRun): string {
  const count = saved === undefined ? "nothing new" : counted(saved.changed.length, "changed file");
  return `run ${info.run_id} of ${info.agent}: ${count}${info.ref ? `, on ${info.ref}` : ""}`;
}

function answerOf(
  recovered: readonly RecoveredRun[],
  again: readonly LoopOutcome[],
  stuck: readonly string[],
  answers: readonly Answer[],
  works: readonly WorkOutcome[],
): Answer {
  const done = [
    ...again.map(({ last }) => outcomeWords(last)),
    ...answers.map((one) => one.words),
    ...stuck,
  ];
  const words =
    recovered.length === 0 && done.length === 0
      ? "Nothing was left behind: every run of this project came to its end."
      : done.join("\n\n");
  const exits = [
    ...again.map(({ last }) => exitOf(last)),
    ...answers.map(({ exit }) => exit),
    ...(stuck.length > 0 ? [1 as const] : []),
  ];
  return {
    exit: exits.find((exit) => exit !== 0) ?? 0,
    json: {
      recovered: recovered.map(({ info, saved }) => ({
        run: info,
        changed: saved?.changed ?? [],
      })),
      runs: again.map(({ last }) => outcomeJson(last)),
      works: works.map(({ report }) => report),
      stuck,
    },
    words: words === "" ? `${counted(recovered.length, "run")} brought to an end.` : words,
    isAnswered: true,
  };
}
